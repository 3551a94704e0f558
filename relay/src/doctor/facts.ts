import { X509Certificate } from 'node:crypto';
import { connect as connectTcp } from 'node:net';
import { networkInterfaces } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { isPublicAddress } from '../../../shared/src/names/addressPolicy.ts';
import { bareHost, parseAuthority, type Destination } from '../../../shared/src/names/authority.ts';
import { isAlive } from '../../../shared/src/node/isAlive.ts';
import { readProxyCertificate } from '../proxy/proxyCertificate.ts';
import type { RelayDirectory } from '../settings/relayDirectory.ts';
import { readSysctl } from '../settings/servingNote.ts';
import { RELAY_RELEASE } from '../version.ts';
import { canEncode } from './coderProbe.ts';
import type { PortAnswer, RelayFacts } from './judge.ts';

/** On the same machine. */
const ANSWER_LIMIT_MS = 3_000;
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Looks at a relay's files, process, port and machine. @param coder the command line of a coder of pictures @throws FirstscreenError E_RELAY_SETTINGS for files that it could not run with */
export async function gatherFacts(directory: RelayDirectory, coder: readonly string[], now: Date): Promise<RelayFacts> {
  const { listen, clients } = directory.settings();
  directory.key();
  const certificate = new X509Certificate(directory.certificate());
  const note = directory.note();
  const isThere = note !== null && isAlive(note.pid);
  const listens = parseAuthority(listen) ?? { host: '', port: 0 };
  const place = { host: bareHost(listens.host), port: isThere ? note.port : listens.port };
  return {
    release: RELAY_RELEASE,
    now,
    certificate: { from: certificate.validFromDate, to: certificate.validToDate },
    clients: clients.length,
    port: place.port,
    note,
    isAlive: isThere,
    answer: await answerAt(place, certificate),
    sysctls: { available: readSysctl('net.ipv4.tcp_available_congestion_control'), slowStartAfterIdle: readSysctl('net.ipv4.tcp_slow_start_after_idle') },
    proxy: proxyNow(directory, now),
    publicFamilies: publicFamilies(),
    encodesPictures: await canEncode(coder),
  };
}

function proxyNow(directory: RelayDirectory, now: Date): RelayFacts['proxy'] {
  try {
    const settings = directory.proxySettings();
    return settings === null ? null : readProxyCertificate(settings, now);
  } catch (error) {
    if (error instanceof FirstscreenError) return error;
    throw error;
  }
}

/** Who answers there: by its key. */
async function answerAt({ host, port }: Destination, certificate: X509Certificate): Promise<PortAnswer> {
  const place = { host: WILDCARDS[host] ?? host, port };
  const answer = await knock(place, certificate);
  // a system without IPv6
  return answer === 'refused' && place.host === '::1' ? knock({ host: '127.0.0.1', port }, certificate) : answer;
}

async function knock(place: Destination, certificate: X509Certificate): Promise<PortAnswer> {
  const socket = connectTcp(place);
  const { promise, resolve } = Promise.withResolvers<PortAnswer>();
  let isOpen = false;
  socket.once('connect', () => {
    isOpen = true;
    const secured = connectTls({ socket, minVersion: 'TLSv1.3', ALPNProtocols: ['h2'], rejectUnauthorized: false });
    secured.on('error', () => resolve('other'));
    secured.once('secureConnect', () => resolve(secured.getPeerX509Certificate()?.fingerprint256 === certificate.fingerprint256 ? 'relay' : 'other'));
  });
  socket.on('error', () => resolve(isOpen ? 'other' : 'refused'));
  const timer = setTimeout(() => resolve(isOpen ? 'other' : 'silent'), ANSWER_LIMIT_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

function publicFamilies(): (4 | 6)[] {
  const found = Object.values(networkInterfaces()).flatMap((all) => all ?? []).filter(({ address, internal }) => !internal && isPublicAddress(address));
  return ([4, 6] as const).filter((family) => found.some((known) => known.family === `IPv${family}`));
}
