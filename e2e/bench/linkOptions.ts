const BITS_PER_KBIT = 1_000;
/** Half of all hosts, by the hash of their names (e2e/hosting/network/addresses.go). */
const FAR_HOSTS = '20.100.128.0/17';
/** The link's far side answers at the second address of such a prefix. */
export const FARTHER_ADDRESS = '20.100.128.1';
const FAR = /^(.+)-far(\d+)ms$/;
const CUSTOM = /^(\d+)kbit-(\d+)ms$/;
const LOSS = /^(.+)-(loss|burst)(\d+)$/;
const POLICED = /^(.+)-policed(\d+)$/;
const PERCENT = 100;
/** A fade of a moving receiver: as long as a dozen packets at 1.6 Mbit/s, of which it takes half (docs/benchmarks.md). */
const FADE_MS = 100;
const FADE_LOSS = 0.5;

/** A link by its numbers, as `--profile` takes it: the same rate both ways, half of the round trip each way, no loss. */
export function customProfile(kbitPerSecond: number, rttMs: number): string {
  return `${kbitPerSecond}kbit-${rttMs}ms`;
}

/**
 * What firstscreen-link is started with for a profile of `--profile`: a name of its own, which it knows or refuses, or
 * `RATEkbit-RTTms`. Either may end in `-lossPERCENT` (each packet by itself), in `-burstPERCENT` (as many in all, in fades), in
 * `-farMSms` (half of the hosts are so much farther away) or in `-policedKBIT` (each connection has no more kilobits per second).
 */
export function linkOptions(profile: string): string[] {
  const [, thin, kind, percent] = LOSS.exec(profile) ?? [];
  if (thin !== undefined && percent !== undefined) return [...linkOptions(thin), ...lossOptions(kind === 'burst', Number(percent) / PERCENT)];
  const [, shared, policedKbit] = POLICED.exec(profile) ?? [];
  if (shared !== undefined && policedKbit !== undefined) return [...linkOptions(shared), '--police', String(Number(policedKbit) * BITS_PER_KBIT)];
  const [, link, farMs] = FAR.exec(profile) ?? [];
  if (link !== undefined && farMs !== undefined) return [...linkOptions(link), ...fartherOptions(Number(farMs))];
  const [, kbitPerSecond, rttMs] = CUSTOM.exec(profile) ?? [];
  if (kbitPerSecond === undefined || rttMs === undefined) return ['--profile', profile];
  const rate = String(Number(kbitPerSecond) * BITS_PER_KBIT);
  const delay = String(Number(rttMs) / 2);
  return ['--profile', 'lossless', '--down-rate', rate, '--up-rate', rate, '--down-delay', delay, '--up-delay', delay];
}

/** Half of the hosts are so much farther away, in milliseconds of their round trip. */
export function fartherOptions(ms: number): string[] {
  return ['--server-delay', `${FAR_HOSTS}=${ms}`];
}

/** The second hop, to the servers, of a run with a relay. */
export function secondHopOptions(rttMs: number | null): string[] {
  return rttMs === null ? [] : ['--second-hop', String(rttMs)];
}

/** A share of packets that is lost, each by itself or in fades. The time between fades is what makes the loss as much as is asked for, all over. The link refuses what can not be had so. */
export function lossOptions(isInFades: boolean, share: number): string[] {
  if (!isInFades) return ['--loss', String(share)];
  return ['--gilbert', [Math.round(FADE_MS * (FADE_LOSS / share - 1)), FADE_MS, 0, FADE_LOSS].join(',')];
}
