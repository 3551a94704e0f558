/** Hosts as old JavaScript looks them up: by own properties, so that a host named as one of Object's is not found. */
export type HostTable = Readonly<Record<string, boolean>>;

/**
 * The host of the table that covers this one: itself, or the nearest above it (`a.test` covers `b.a.test`); null for
 * none. One look-up for each label. Its text runs in Chromium's PAC environment too: nothing but its arguments.
 */
export function coveringHost(host: string, hosts: HostTable): string | null {
  for (let rest = host; rest !== ''; rest = rest.replace(/^[^.]*\.?/, '')) {
    if (Object.prototype.hasOwnProperty.call(hosts, rest)) return rest;
  }
  return null;
}
