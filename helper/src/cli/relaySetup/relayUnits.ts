/**
 * The relay's units of systemd, for the Debian package and for `relay setup`. The listening socket is systemd's: so BBR is set on the relay's
 * connections alone, which take their options from the socket that accepts them (docs/relay.md, "Only the relay's connections"), a relay that is
 * started anew refuses nobody, and port 443 takes no privilege.
 */

/** For all users under an account of its own, or for one user without any rights of root. */
export type RelayScope = 'system' | 'user';

/** A file of the relay's unit. */
export interface RelayUnitFile {
  readonly name: 'firstscreen-relay.service' | 'firstscreen-relay.socket';
  readonly text: string;
}

export interface RelayUnitOptions {
  readonly scope: RelayScope;
  /** The relay's executable, and what starts it (relayLauncher.ts): null where there is no Perl. Specifiers of systemd have their say. */
  readonly executable: string;
  readonly launcher: string | null;
  /** Where the relay's files are. */
  readonly directory: string;
  readonly port: number;
  /** Makes the relay's key at the first start: for a package, where nobody has made one before. */
  readonly makesKey: boolean;
}

export const DEFAULT_RELAY_PORT = 4433;

/**
 * What one user's streams may keep is bounded by the relay itself (64 kB each), as is what is read of his pages (64 MB), and so are kept bodies and pictures (160 MB) and what codes bodies (480 MB). Each of its four coders
 * has 35 MB at rest, and was measured at 210 MB with the largest pictures that it takes. This is for a defect, and for four of these at once.
 */
const MEMORY_MAX = '1G';
/** A coder has 14 threads, the relay hardly fewer: 64 were too few for five processes. */
const TASKS_MAX = 128;

export function relayUnitFiles(options: RelayUnitOptions): RelayUnitFile[] {
  return [
    { name: 'firstscreen-relay.service', text: serviceText(options) },
    { name: 'firstscreen-relay.socket', text: socketText(options) },
  ];
}

function serviceText({ scope, executable, launcher, directory, port, makesKey }: RelayUnitOptions): string {
  const init = `${executable} init --listen [::]:${port} --directory ${directory}`;
  return lines(
    '[Unit]',
    'Description=Firstscreen relay: the far end of the connections of its owner',
    'Documentation=man:firstscreen-relay(1)',
    'Requires=firstscreen-relay.socket',
    'After=firstscreen-relay.socket',
    'StartLimitIntervalSec=60',
    'StartLimitBurst=5',
    '',
    '[Service]',
    'Type=exec',
    ...(makesKey ? [`ExecStartPre=/bin/sh -c '[ -e ${directory}/relay.json ] || exec ${init}'`] : []),
    `ExecStart=${launcher === null ? '' : `${launcher} `}${executable} serve --directory ${directory}`,
    'Restart=on-failure',
    'RestartSec=1',
    ...(scope === 'system' ? [...SYSTEM_SANDBOX] : []),
    ...SANDBOX,
    '',
    '[Install]',
    `WantedBy=${scope === 'system' ? 'multi-user.target' : 'default.target'}`,
    'Also=firstscreen-relay.socket',
  );
}

function socketText({ port }: RelayUnitOptions): string {
  return lines(
    '[Unit]',
    'Description=Port of the Firstscreen relay',
    'Documentation=man:firstscreen-relay(1)',
    '',
    '[Socket]',
    '# To listen elsewhere: systemctl edit firstscreen-relay.socket, with an empty ListenStream= before the new one.',
    `ListenStream=${port}`,
    'BindIPv6Only=both',
    '# accepted connections have it from here: of no other program, and of no other connection',
    'TCPCongestion=bbr',
    '',
    '[Install]',
    'WantedBy=sockets.target',
  );
}

/** What a manager of one user can do as well. No MemoryDenyWriteExecute: V8 compiles. */
const SANDBOX = [
  'UMask=0077',
  'NoNewPrivileges=yes',
  'LimitCORE=0',
  'LimitNOFILE=65536',
  `MemoryMax=${MEMORY_MAX}`,
  '# a coder of pictures that met one too large is another one soon: the relay goes on',
  'OOMPolicy=continue',
  `TasksMax=${TASKS_MAX}`,
  '# the resolver of the system asks by AF_NETLINK and AF_UNIX',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'LockPersonality=yes',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallFilter=~@privileged',
  'SystemCallErrorNumber=EPERM',
] as const;

/** An account of its own that is there only while the relay runs, without any capability. */
const SYSTEM_SANDBOX = [
  'DynamicUser=yes',
  'StateDirectory=firstscreen-relay',
  'StateDirectoryMode=0700',
  'CapabilityBoundingSet=',
  'AmbientCapabilities=',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'PrivateUsers=yes',
  'PrivateIPC=yes',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'ProtectProc=invisible',
  '# its port is given to it: it opens no other',
  'SocketBindDeny=tcp',
] as const;

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
