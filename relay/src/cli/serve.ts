import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { FirstscreenError, codeOf } from '../../../shared/src/errors.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import { authorityOf, parseAuthority } from '../../../shared/src/names/authority.ts';
import { HostResolver } from '../../../shared/src/names/resolveHost.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import { CarrierServer } from '../carrier/carrierServer.ts';
import { CARRIER_LIMITS } from '../carrier/limits.ts';
import { systemNames } from '../names/systemNames.ts';
import { AnswerCoding } from '../encoding/answerCoding.ts';
import { MAX_ENCODERS } from '../encoding/bodyEncoders.ts';
import { BodyMemory } from '../encoding/bodyMemory.ts';
import { ImageCoders } from '../encoding/imageCoders.ts';
import { Room } from '../../../shared/src/node/reading/room.ts';
import { ownProgram } from '../ownProgram.ts';
import { ServedProxy } from '../proxy/servedProxy.ts';
import { ClientRequests } from '../requests/clientRequests.ts';
import { ServerAgent } from '../requests/serverAgent.ts';
import { connectionOptions, readSysctl } from '../settings/servingNote.ts';
import type { RelayDirectory } from '../settings/relayDirectory.ts';
import type { RelaySettings } from '../settings/relaySettings.ts';
import { SharedPictures } from '../store/sharedPictures.ts';
import { StoreKeys } from '../store/storeKeys.ts';
import { storeLibrary } from '../store/storeLibrary.ts';
import { ServerOpener } from '../tunnels/openServer.ts';
import { RELAY_RELEASE } from '../version.ts';
import { givenSockets } from './givenSockets.ts';
import type { Surroundings } from './surroundings.ts';

/** A connection of a client that is begun is kept for its next request, whoever has given up the first. */
const WANTED = new AbortController().signal;

/** Each has some 60 MB when it has worked. */
const MAX_CODERS = 4;

/** Runs the relay of a directory until the process is asked to end. @throws FirstscreenError E_RELAY_SETTINGS, E_RELAY_LISTEN */
export async function serve(directory: RelayDirectory, surroundings: Surroundings): Promise<void> {
  const settings = directory.settings();
  const shared = sharedPictures(directory, settings, surroundings.log);
  const coders = new ImageCoders(surroundings.coder, Math.min(availableParallelism(), MAX_CODERS), surroundings.log);
  try {
    await serveWith(coders, shared, directory, settings, surroundings);
  } finally {
    // or this process would not end either
    coders.close();
    shared?.close();
  }
}

/** Null for a relay by itself, and where nothing can be shared. @throws FirstscreenError E_RELAY_SETTINGS */
function sharedPictures(directory: RelayDirectory, { store }: RelaySettings, log: LogSink): SharedPictures | null {
  if (store === undefined) return null;
  const keys = new StoreKeys(directory.key());
  try {
    return new SharedPictures(storeLibrary(ownProgram())(store), { keys, log });
  } catch (error) {
    log({ level: 'error', scope: 'store', message: 'nothing is shared', fields: { code: codeOf(error) } });
    return null;
  }
}

async function serveWith(coders: ImageCoders, shared: SharedPictures | null, directory: RelayDirectory, settings: RelaySettings, { print, log, ended, isPublic, authorities, env = {} }: Surroundings): Promise<void> {
  let clients = clientsOf(settings);
  const opener = new ServerOpener({ resolver: new HostResolver(systemNames()), isPublic });
  const [memory, encoders] = [new BodyMemory(), new Room(MAX_ENCODERS)];
  const server = carrierServer(directory, {
    nameOf: (fingerprint) => clients.get(fingerprint) ?? null,
    opener,
    newRequests: (client) => new ClientRequests(new ServerAgent(async (host, port) => (await opener.open({ host, port }, WANTED)).socket, new TlsStarter(authorities)), new AnswerCoding(coders, memory.of(client), shared?.encoderFor.bind(shared), encoders)),
    limits: CARRIER_LIMITS,
    log,
  });
  const destination = parseAuthority(settings.listen);
  if (destination === null) throw new FirstscreenError('E_RELAY_SETTINGS', 'relay.json does not say where to listen.', 'Mend it.');
  // a service manager has its own word where to listen
  const { carrier: fd, proxy: proxyFd } = givenSockets(env, process.pid);
  const { port } = await server.listen(fd === null ? destination : { fd });
  const unwatch = directory.onChange(() => {
    try {
      clients = clientsOf(directory.settings());
      server.clientsChanged();
      log({ level: 'info', scope: 'serve', message: 'clients taken over', fields: { clients: clients.size } });
    } catch (error) {
      // those that were known stay so until the file is mended
      log({ level: 'error', scope: 'serve', message: 'clients not taken over', fields: { code: codeOf(error) } });
    }
  });
  const options = connectionOptions(env, fd !== null, readSysctl);
  const note = (): void => directory.writeNote({ pid: process.pid, release: RELAY_RELEASE, port, proxyPort: proxy.port, ...options });
  const proxy = new ServedProxy({ directory, opener, log, fd: proxyFd, changed: note });
  await proxy.refresh();
  const unwatchProxy = directory.onChange(() => void proxy.refresh(), 'proxy.json');
  print(`firstscreen-relay listens on ${fd === null ? authorityOf({ ...destination, port }) : `port ${port}, which it was given`}`);
  if (!ended.aborted) await once(ended, 'abort');
  unwatch();
  unwatchProxy();
  await proxy.close();
  directory.removeNote();
  await server.close();
}

/** A certificate and a key that belong together. @throws FirstscreenError E_RELAY_SETTINGS */
function carrierServer(directory: RelayDirectory, needs: Omit<ConstructorParameters<typeof CarrierServer>[0], 'key' | 'certificate'>): CarrierServer {
  const [key, certificate] = [directory.key(), directory.certificate()];
  try {
    return new CarrierServer({ ...needs, key, certificate });
  } catch (cause) {
    throw new FirstscreenError('E_RELAY_SETTINGS', 'key.pem and certificate.pem are no key and its certificate.', 'Make another directory with "firstscreen-relay init".', { cause });
  }
}

/** Names by fingerprint. */
function clientsOf({ clients }: RelaySettings): ReadonlyMap<string, string> {
  return new Map(clients.map(({ name, fingerprint }) => [fingerprint, name]));
}
