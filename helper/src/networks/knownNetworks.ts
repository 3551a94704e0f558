import * as v from 'valibot';
import { dayOf } from '../../../shared/src/memory/cachedUntil.ts';
import type { LinkVerdict } from '../../../shared/src/scheduling/payoff.ts';

/** The least recently used goes. */
const MAX_NETWORKS = 64;
/** What nobody has seen fast for a fortnight may be another by now. */
const MAX_AGE_DAYS = 14;
/** One evening may be an exception, so fewer pages do on two days. */
const [ENOUGH_PAGES, ENOUGH_PAGES_ON_DAYS, DAYS] = [10, 3, 2];

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const KEY = v.pipe(v.string(), v.regex(/^[\da-f]{32}$/));

const KnownNetworkSchema = v.strictObject({
  key: KEY,
  /** So many pages in a row have shown a fast link; more than enough is not counted. */
  pages: v.pipe(count, v.maxValue(ENOUGH_PAGES)),
  /** On so many days; more than enough is not counted. */
  days: v.pipe(count, v.maxValue(DAYS)),
  /** The last one of these, since 1970. */
  lastDay: count,
});
type KnownNetwork = v.InferOutput<typeof KnownNetworkSchema>;

/** Networks that were fast, the last seen so last. What was slow is not among them: it is as one that is not known. */
export const KnownNetworksSchema = v.pipe(v.array(KnownNetworkSchema), v.maxLength(MAX_NETWORKS));
export type KnownNetworks = readonly KnownNetwork[];

/** Whether a network was fast lately and always: ten pages in a row, or three on two days. */
export function wasFast(networks: KnownNetworks, key: string, nowMs: number): boolean {
  return recent(networks, nowMs).some((network) => network.key === key && network.pages >= (network.days < DAYS ? ENOUGH_PAGES : ENOUGH_PAGES_ON_DAYS));
}

/** With what a page has shown of a network: one that was slow makes it unknown. */
export function withVerdict(networks: KnownNetworks, key: string, verdict: LinkVerdict, nowMs: number): KnownNetworks {
  const known = recent(networks, nowMs);
  const others = known.filter((network) => network.key !== key);
  if (verdict === 'slow') return others;
  const { pages, days, lastDay } = known.find((network) => network.key === key) ?? { pages: 0, days: 0, lastDay: 0 };
  const today = dayOf(nowMs);
  return [...others, { key, pages: Math.min(pages + 1, ENOUGH_PAGES), days: lastDay === today ? days : Math.min(days + 1, DAYS), lastDay: today }].slice(-MAX_NETWORKS);
}

/** Without those that were seen fast too long ago, or under a clock that went wrong. */
export function recent(networks: KnownNetworks, nowMs: number): KnownNetworks {
  return networks.filter(({ lastDay }) => lastDay <= dayOf(nowMs) && dayOf(nowMs) - lastDay <= MAX_AGE_DAYS);
}
