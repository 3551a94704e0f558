/** What docs/relay.md asks of the kernel in the relay's network namespace, since Node has no setsockopt. Names are those below /proc/sys/net/ipv4. */
const SYSCTLS = [['tcp_congestion_control', 'bbr'], ['tcp_notsent_lowat', '16384'], ['tcp_slow_start_after_idle', '0']] as const;
const EXIT_REFUSED = 2;

export interface RelayParts {
  readonly node: string;
  /** Bundle of the relay. */
  readonly relayMain: string;
  /** As `init` has made it. */
  readonly directory: string;
  /** Of the test bed, whom the relay trusts as it does those of browsers. The hosting makes it when it starts, which it does beside the relay. */
  readonly authorityFile: string;
}

/**
 * The command line, for a shell in the relay's namespace, that sets its kernel up and then is the relay. What the kernel does not take ends it with
 * a coded line, as every program of the test bed does. Pure.
 */
export function relayCommand({ node, relayMain, directory, authorityFile }: RelayParts): string {
  const settings = SYSCTLS.map(([name, value]) => `echo ${value} > /proc/sys/net/ipv4/${name} || { echo ${quoted(JSON.stringify(refusal(name, value)))} >&2; exit ${EXIT_REFUSED}; }`);
  const words = ['env', `FIRSTSCREEN_AUTHORITIES=${authorityFile}`, node, relayMain, 'serve', '--directory', directory];
  return [...settings, `until [ -s ${quoted(authorityFile)} ]; do sleep 0.05; done`, `exec ${words.map(quoted).join(' ')}`].join('; ');
}

/** In a namespace of its own a network has only the controls that the machine allows everybody. */
function refusal(name: string, value: string): { readonly code: string; readonly message: string; readonly next: string } {
  const next = name === 'tcp_congestion_control' ? 'modprobe tcp_bbr, and name bbr in net.ipv4.tcp_allowed_congestion_control' : 'run on Linux 4.15 or later';
  return { code: 'E_RELAY_KERNEL', message: `Setting up the relay's namespace: the kernel does not take ${value} as net.ipv4.${name}`, next };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
