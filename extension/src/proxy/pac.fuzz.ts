import { pacScript } from './pac.ts';

const ARMING_HOST = 'secret.invalid';
const HELPER = 'PROXY 127.0.0.1:4711; DIRECT';
const MAX_LEFT_HOSTS = 500;

/** Whatever hosts were left, the script runs, names the helper or nobody, and leaves those hosts alone. @param bytes hosts with a blank between them */
function runPac(bytes: Uint8Array): void {
  const hosts = new TextDecoder().decode(bytes).split(' ').slice(0, MAX_LEFT_HOSTS);
  const left = hosts.map((host) => host.toLowerCase().replace(/\.$/, ''));
  const script = pacScript({ port: 4711, ownHost: 'own.invalid', leftHosts: left, offHosts: left.slice(0, 3), armingHost: ARMING_HOST, followsAtMs: null });
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the script is what is tested
  const ask = (new Function(`${script}; return function (host) { return FindProxyForURL('http://x/', host); }`) as () => (host: string) => unknown)();
  if (ask('a.test') !== 'DIRECT') throw new Error('the helper is named before the script is armed');
  ask(ARMING_HOST);
  for (const host of hosts) {
    if (host === ARMING_HOST) continue;
    if (ask(host) !== 'DIRECT') throw new Error('a host that was left goes to the helper');
    const other = ask(`${host}.example.com`);
    if (other !== HELPER && other !== 'DIRECT') throw new Error('neither the helper nor the browser itself');
  }
}

export const targets = [{ name: 'pac', pieces: [' ', '.', '"', '\\', '\u2028', '__proto__', 'constructor', 'hasOwnProperty', 'localhost', '127.0.0.1', '[::1]', 'A.test', '</script>', "'", '${', 'ſ', 'İ'], run: runPac }];
