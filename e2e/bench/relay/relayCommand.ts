/** What docs/relay.md asks of the kernel in the relay's network namespace, since Node has no setsockopt. Names are those below /proc/sys/net/ipv4. */
const SYSCTLS = [['tcp_congestion_control', 'bbr'], ['tcp_notsent_lowat', '16384'], ['tcp_slow_start_after_idle', '0']] as const;
const EXIT_REFUSED = 2;

/**
 * The command line, for a shell in the relay's namespace, that sets its kernel up and then is the relay. What the kernel does not take ends it with
 * a coded line, as every program of the test bed does. Pure.
 *
 * @param relayMain bundle of the relay
 * @param directory as `init` has made it
 */
export function relayCommand(node: string, relayMain: string, directory: string): string {
  const settings = SYSCTLS.map(([name, value]) => `echo ${value} > /proc/sys/net/ipv4/${name} || { echo ${quoted(JSON.stringify(refusal(name, value)))} >&2; exit ${EXIT_REFUSED}; }`);
  return [...settings, `exec ${[node, relayMain, 'serve', '--directory', directory].map(quoted).join(' ')}`].join('; ');
}

function refusal(name: string, value: string): { readonly code: string; readonly message: string; readonly next: string } {
  const next = name === 'tcp_congestion_control' ? 'modprobe tcp_bbr; without root it has to be among net.ipv4.tcp_allowed_congestion_control' : 'run on Linux 4.15 or later';
  return { code: 'E_RELAY_KERNEL', message: `Setting up the relay's namespace: the kernel does not take ${value} as net.ipv4.${name}`, next };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
