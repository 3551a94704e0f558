import { finite, minValue, nullable, number, pipe, strictObject, type GenericSchema } from 'valibot';
import { INITIAL_LINK, type LinkEstimate } from '../../../shared/src/estimation/link.ts';
import { keepInSession, keptInSession } from '../settings/sessionStore.ts';

const KEY = 'link';
const positive = pipe(number(), finite(), minValue(1));
const LinkSchema: GenericSchema<unknown, KnownLink> = strictObject({ rateBitsPerSecond: positive, rttMs: positive, connectMs: positive, seenBitsPerSecond: nullable(positive) });

/** The estimate, and the rate as people are told of it: null where nothing was seen. */
export interface KnownLink extends LinkEstimate {
  readonly seenBitsPerSecond: number | null;
}

/** Network Information API, which Chromium has in workers too; both are 0 while it knows nothing. */
interface NetworkInformation {
  readonly downlink: number;
  readonly rtt: number;
}

/**
 * What is known of the link before anything is measured: what an earlier worker of this session has measured, else what
 * the browser says.
 */
export async function firstLink(): Promise<KnownLink> {
  return (await keptInSession(KEY, LinkSchema)) ?? browsersLink();
}

/** What the browser says of the link. */
export function browsersLink(): KnownLink {
  return { ...linkOf((navigator as { readonly connection?: NetworkInformation }).connection), seenBitsPerSecond: null };
}

/** Kept until the browser ends. */
export function keepLink(link: KnownLink): void {
  void keepInSession(KEY, link);
}

/** @param connection in Mbit/s and milliseconds, both rounded by the browser; the rate says 10 for everything faster */
export function linkOf(connection: NetworkInformation | undefined): LinkEstimate {
  if (connection === undefined || !(connection.downlink > 0) || !(connection.rtt > 0)) return INITIAL_LINK;
  return { ...INITIAL_LINK, rateBitsPerSecond: connection.downlink * 1_000_000, rttMs: connection.rtt };
}
