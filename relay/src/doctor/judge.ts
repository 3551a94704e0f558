import { fail, pass, warn, type Check } from '../../../shared/src/check.ts';
import { CONGESTION_CONTROL, TCP_NOTSENT_LOWAT_BYTES } from '../../../shared/src/relay/listening.ts';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { dayOf } from '../proxy/proxyCertificate.ts';
import type { ServingNote } from '../settings/servingNote.ts';

/** What answers at the relay's port, from this machine. */
export type PortAnswer = 'relay' | 'other' | 'refused' | 'silent';

/** Everything that doctor has found out. */
export interface RelayFacts {
  readonly release: string;
  readonly now: Date;
  readonly certificate: { readonly from: Date; readonly to: Date };
  readonly clients: number;
  readonly port: number;
  /** Null where no relay has written one. */
  readonly note: ServingNote | null;
  /** Whether the process of the note is there. */
  readonly isAlive: boolean;
  readonly answer: PortAnswer;
  readonly sysctls: { readonly available: string; readonly slowStartAfterIdle: string };
  /** Of the proxy of browsers: until when its certificate is good, or why it can not be used; null where it is none. */
  readonly proxy: { readonly to: Date } | FirstscreenError | null;
  /** Of this machine's interfaces, those of the public internet. */
  readonly publicFamilies: readonly (4 | 6)[];
  /** A coder of pictures of the relay's own program has encoded one. */
  readonly encodesPictures: boolean;
}

/** A verdict on each, with the next step. */
export function judge(facts: RelayFacts): Check[] {
  return [clock(facts), key(facts), running(facts), port(facts), ...connections(facts), addresses(facts), clients(facts), pictures(facts), ...proxy(facts)];
}

const START = 'Run: systemctl start firstscreen-relay (with --user where it is a user\'s); or "firstscreen-relay serve".';
const RESTART = 'Run: systemctl restart firstscreen-relay (with --user where it is a user\'s).';

function clock({ now, certificate }: RelayFacts): Check {
  if (now >= certificate.from) return pass('clock', now.toISOString());
  return fail('clock', `it says ${dayOf(now)}, which is before the relay's key was made: certificates of servers are refused`, 'Run: timedatectl set-ntp true');
}

function key({ now, certificate: { to } }: RelayFacts): Check {
  if (now <= to) return pass('key', `good until ${dayOf(to)}`);
  return fail('key', `it has ended on ${dayOf(to)}`, 'Make another directory with "firstscreen-relay init", and tell each helper of it ("firstscreen-helper relay add").');
}

function running({ note, isAlive, release }: RelayFacts): Check {
  if (note === null || !isAlive) return fail('process', 'the relay does not run', START);
  if (note.release !== release) return warn('process', `release ${note.release} runs, ${release} is installed`, RESTART);
  return pass('process', `release ${release}, process ${note.pid}`);
}

function port({ answer, port: number }: RelayFacts): Check {
  switch (answer) {
    case 'relay':
      return pass('port', `the relay answers on ${number} from this machine`);
    case 'other':
      return fail('port', `another program, or a relay of another directory, answers on ${number}`, `See which one with "ss -ltnp sport = :${number}", and end it or take another port.`);
    case 'refused':
      return fail('port', `nobody listens on ${number}`, START);
    case 'silent':
      return fail('port', `connections to ${number} are dropped on this machine`, `Let TCP port ${number} in (as with "ufw allow ${number}/tcp").`);
  }
}

/** Known only of a relay that runs: it says itself how its connections are. */
function connections({ note, isAlive, sysctls }: RelayFacts): Check[] {
  return note === null || !isAlive ? [] : [congestion(note, sysctls), ...idle(note, sysctls), unsent(note)];
}

function congestion({ congestion: used }: ServingNote, { available }: RelayFacts['sysctls']): Check {
  if (used === CONGESTION_CONTROL) return pass('congestion control', used);
  if (!available.split(/\s+/).includes(CONGESTION_CONTROL)) return warn('congestion control', `${used}: the kernel does not offer ${CONGESTION_CONTROL}, and each loss slows the relay down`, 'As root: modprobe tcp_bbr; echo tcp_bbr > /etc/modules-load.d/tcp_bbr.conf; then start the relay anew. In a container: on its host.');
  return warn('congestion control', `${used}, and each loss slows the relay down`, 'Start it by its socket unit (TCPCongestion=bbr), or in its container set net.ipv4.tcp_congestion_control=bbr.');
}

/** With BBR the kernel asks nothing of the kind (net/ipv4/tcp.h, tcp_slow_start_after_idle_check). */
function idle({ congestion: used }: ServingNote, { slowStartAfterIdle }: RelayFacts['sysctls']): Check[] {
  if (used === CONGESTION_CONTROL || slowStartAfterIdle === '0') return [];
  return [warn('idle', 'after a pause a connection begins slowly again', 'Set net.ipv4.tcp_slow_start_after_idle=0, or use BBR.')];
}

function unsent({ lowatBytes }: ServingNote): Check {
  const name = 'unsent bytes';
  if (lowatBytes !== null && lowatBytes <= TCP_NOTSENT_LOWAT_BYTES) return pass(name, `${lowatBytes} a connection`);
  return warn(name, `${lowatBytes ?? 'as many as a buffer has'} a connection: what is urgent waits behind them`, `Start it by its unit, which needs perl; or in its container set net.ipv4.tcp_notsent_lowat=${TCP_NOTSENT_LOWAT_BYTES}.`);
}

function addresses({ publicFamilies, port: number }: RelayFacts): Check {
  const name = 'addresses';
  if (publicFamilies.length === 0) return warn(name, 'none of the public internet: this machine is behind a router', `Have the router pass TCP port ${number} on to this machine, and add the relay by the router's address.`);
  const missing = publicFamilies.includes(4) ? 6 : 4;
  return pass(name, publicFamilies.length === 2 ? 'public IPv4 and IPv6' : `public IPv${10 - missing}, no public IPv${missing}${missing === 4 ? ': networks without IPv6 do not reach it' : ''}`);
}

function clients({ clients: number }: RelayFacts): Check {
  if (number > 0) return pass('helpers', `${number} let in`);
  return warn('helpers', 'none is let in', 'Run the line that "firstscreen-helper relay add" or "relay status" says.');
}

function pictures({ encodesPictures }: RelayFacts): Check {
  if (encodesPictures) return pass('pictures', 'can be coded anew');
  return warn('pictures', 'stay as they are: what codes them anew (sharp) is not beside the program, or does not run on this machine', 'Lay node_modules of the relay\'s archive (firstscreen-relay-VERSION-linux-ARCHITECTURE.tar.gz) beside the program, then start the relay anew. On x86-64 it takes a processor with SSE4.2.');
}

const PROXY_WARN_MS = 7 * 86_400_000;

function proxy({ proxy: known, now, note, isAlive }: RelayFacts): Check[] {
  const name = 'proxy of browsers';
  if (known === null) return [];
  if (known instanceof FirstscreenError) return [fail(name, known.message, known.next)];
  if (isAlive && note?.proxyPort === null) return [fail(name, 'the relay that runs does not serve it', 'See its log; a relay of a unit needs a second ListenStream= in its socket unit (docs/relay.md).')];
  if (known.to.getTime() - now.getTime() < PROXY_WARN_MS) return [warn(name, `its certificate ends on ${dayOf(known.to)}`, 'Have it renewed: the relay takes the new one over by itself.')];
  return [pass(name, `its certificate is good until ${dayOf(known.to)}`)];
}
