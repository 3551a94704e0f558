import { FirstscreenError } from '../../../../shared/src/errors.ts';
import { MAX_PORT } from '../../../../shared/src/names/authority.ts';

/** Whom ssh is to call. */
export interface SshTarget {
  /** As in a name of the user's own ssh_config, or an address; IPv6 without brackets. */
  readonly host: string;
  /** Null: whom ssh itself chooses. */
  readonly user: string | null;
  readonly port: number | null;
}

/** What a name may have: nothing that ssh takes for an option, and nothing that a shell or ssh's own `%` would read. */
const USER = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}';
const HOST = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}';
const IPV6 = '[0-9a-fA-F:.]{2,45}(?:%25[A-Za-z0-9_][A-Za-z0-9_.-]{0,14})?';
const TARGET = new RegExp(`^ssh://(?:(?<user>${USER})@)?(?:(?<host>${HOST})|\\[(?<address>${IPV6})\\])(?::(?<port>\\d{1,5}))?/?$`);

/** Of `ssh://[USER@]HOST[:PORT]`. @throws FirstscreenError E_OPTION */
export function parseSshTarget(text: string): SshTarget {
  const { user = null, host, address = '', port } = TARGET.exec(text)?.groups ?? {};
  const number = port === undefined ? null : Number(port);
  if ((host ?? address) === '' || (number !== null && (number < 1 || number > MAX_PORT))) {
    throw new FirstscreenError('E_OPTION', `The command line is wrong: "${text}" is not ssh://[USER@]HOST[:PORT], as in ssh://me@relay.example.com.`, 'What ssh has to know beside that belongs in ~/.ssh/config; see "firstscreen-helper --help".');
  }
  return { user, host: host ?? address.replace('%25', '%'), port: number };
}

/** The same as one writes it. */
export function sshTargetText({ user, host, port }: SshTarget): string {
  return `ssh://${user === null ? '' : `${user}@`}${host.includes(':') ? `[${host.replace('%', '%25')}]` : host}${port === null ? '' : `:${port}`}`;
}

/** The words by which ssh is told. What follows them is the remote command. */
export function sshWords({ user, host, port }: SshTarget): string[] {
  return [...(user === null ? [] : ['-l', user]), ...(port === null ? [] : ['-p', String(port)]), '--', host];
}
