import { coveringHost, type HostTable } from '../urls/coveringHost.ts';

/** What the browser is to send where. */
export interface ProxyPlan {
  /** The relay's host: spoken to by TLS, for encrypted requests alone, since it sees what others are about. Absent: the helper, on loopback. */
  readonly relayHost?: string;
  readonly port: number;
  /** Answered by the helper itself, or by the relay. */
  readonly ownHost: string;
  readonly username: string;
  readonly password: string;
  /** Hosts that the helper has left to the browser. */
  readonly leftHosts: readonly string[];
  /** Of sites that the user has switched off: each stands for itself and all hosts below it. */
  readonly offHosts: readonly string[];
}

/** Hosts for `goesToHelper` and `isOffHost`. */
export function hostTable(hosts: readonly string[]): HostTable {
  return Object.fromEntries(hosts.map((host) => [nameOf(host), true]));
}

/** In which a script that was set is loaded, if nothing keeps the browser busy. */
const LOADED_WITHIN_MS = 1_000;

/** Discard (RFC 863): no browser connects to it through us, and only root could listen there. */
const NOBODY = 'PROXY 127.0.0.1:9';

/**
 * A proxy auto-configuration script: the helper, or a relay, for what crosses the access link, the browser itself for this machine
 * and its own network, and for all when the helper does not answer (the list of a PAC result is tried in order).
 *
 * But for `ownHost` the script names the helper only after it was asked for `armingHost`. Chromium keeps the script in the profile but
 * not its variables: after a crash of the browser the port may belong to another user's program, and a new browser
 * sends everything itself until the extension has set a new script and armed it. One that comes after a script
 * that was armed for the same helper is armed if it is loaded at once, as a set one is: what is asked for in between
 * would go past the helper, and a page that came so from a private address would be taken for a public one.
 *
 * @param armingHost known to the extension alone; never looked up
 * @param followsAtMs when it is set, where it comes after such a script; null where it does not
 */
export function pacScript({ relayHost, port, ownHost, leftHosts, offHosts, armingHost, followsAtMs }: Pick<ProxyPlan, 'relayHost' | 'port' | 'ownHost' | 'leftHosts' | 'offHosts'> & { readonly armingHost: string; readonly followsAtMs: number | null }): string {
  const proxy = relayHost === undefined ? `PROXY 127.0.0.1:${port}` : `HTTPS ${relayHost}:${port}`;
  return `var LEFT = ${JSON.stringify(hostTable(leftHosts))}, OFF = ${JSON.stringify(hostTable(offHosts))}, isArmed = ${followsAtMs === null ? 'false' : `Math.abs(Date.now() - ${followsAtMs}) < ${LOADED_WITHIN_MS}`};
var NEAR = ${JSON.stringify(NEAR)};
${nameOf.toString()}
${isNear.toString()}
function FindProxyForURL(url, host) {
  if (host === ${JSON.stringify(armingHost)}) { isArmed = true; return '${NOBODY}'; }
  if (host === ${JSON.stringify(ownHost)}) return '${proxy}';
  if ((${coveringHost.toString()})((${nameOf.toString()})(host), OFF) !== null) return 'DIRECT';
${relayHost === undefined ? '' : "  if (!/^(https|wss):/.test(url)) return 'DIRECT';\n"}  return isArmed && (${goesToHelper.toString()})(host, LEFT) ? '${proxy}; DIRECT' : 'DIRECT';
}
`;
}

/** The rule of every browser. Runs also in Chromium's PAC environment, as it is here: old JavaScript, nothing but what is in the script. */
export function goesToHelper(host: string, left: HostTable): boolean {
  const name = nameOf(host);
  return !isNear(name) && !Object.prototype.hasOwnProperty.call(left, name);
}

/** Whether a host is one of a site that is off, as the script says it too. */
export function isOffHost(host: string, off: HostTable): boolean {
  return coveringHost(nameOf(host), off) !== null;
}

/** A host as it is compared, whatever number of dots it ends with: scripts get an IPv6 address without brackets, listeners with them. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/\.+$/, '').replace(/^\[|\]$/g, '');
}

/** Whether a host is on this machine or in its own network: nothing to gain there, and the helper's view of it may differ. */
function isNear(name: string): boolean {
  return NEAR.some((pattern) => new RegExp('^(' + pattern + ')$').test(name));
}

/** What is near (`isNear`), as regular expressions of any kind know it: names, addresses of either family. */
export const NEAR: readonly string[] = [
  String.raw`[^.:/@\[\]]+|[^:/@]*\.(local|localhost|internal|lan|home\.arpa)`,
  String.raw`(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(\.\d+)+`,
  String.raw`::1?|::ffff:[\da-f:.]*|f(e[89ab]|[cd])[\da-f]*:[\da-f:.]*`,
];
