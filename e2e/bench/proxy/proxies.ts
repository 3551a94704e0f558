import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Route } from './bodyClient.ts';
import { BenchProcess } from './childProcess.ts';
import type { Peers } from './peers.ts';
import type { ProxyWay } from './ways.ts';

export interface RunningProxy {
  readonly route: Route;
  readonly process: BenchProcess;
}

export interface ProxyPlaces {
  /** Of the repository. */
  readonly root: string;
  /** The compiled runner of our proxy, and the root of what it was compiled with. */
  readonly ours: { readonly runner: string; readonly root: string };
  /** For spools and what else a proxy keeps; of this run. */
  readonly temporaryDir: string;
}

const LOOPBACK = '127.0.0.1';
const Ready = v.object({ port: v.number() });
const OursReady = v.object({ port: v.number(), username: v.string(), password: v.string() });

/** Our proxy by its real start, with its spools on disk. @throws BenchError E_START */
export async function startOurs(partsOff: string, { ours, temporaryDir }: Pick<ProxyPlaces, 'ours' | 'temporaryDir'>): Promise<RunningProxy> {
  const { process: started, line } = await BenchProcess.withLine(process.execPath, ['--max-semi-space-size=8', ours.runner, ours.root, partsOff, join(temporaryDir, 'spool')]);
  const { port, username, password } = v.parse(OursReady, line);
  return { process: started, route: routeOf(port, `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`) };
}

/** @throws BenchError E_START */
export async function startProxy(way: ProxyWay, places: ProxyPlaces, peers: Peers): Promise<RunningProxy> {
  switch (way) {
    case 'firstscreen':
      return startOurs('', places);
    case 'firstscreen-conv':
      return startOurs('prioritizing,reordering,connectionManagement,foresight', places);
    case 'mitmproxy':
      return startMitmproxy(peers, places, []);
    case 'mitmproxy-stream':
      return startMitmproxy(peers, places, ['--set', 'stream_large_bodies=1m']);
    case 'mockttp': {
      const { process: started, line } = await BenchProcess.withLine(process.execPath, [join(import.meta.dirname, 'mockttpProxy.ts'), peers.mockttpDirectory]);
      return { process: started, route: routeOf(v.parse(Ready, line).port, null) };
    }
  }
}

async function startMitmproxy({ mitmdump }: Peers, { temporaryDir }: ProxyPlaces, settings: readonly string[]): Promise<RunningProxy> {
  const port = await freePort();
  // quiet: a line a request on a terminal would be a part of its cost that no user of it as a library pays
  const options = ['--quiet', '--listen-host', LOOPBACK, '--listen-port', String(port), '--set', `confdir=${join(temporaryDir, 'mitmproxy')}`, ...settings];
  return { process: await BenchProcess.withPort(mitmdump, options, port), route: routeOf(port, null) };
}

function routeOf(port: number, authorization: string | null): Route {
  return { host: LOOPBACK, port, proxy: { authorization } };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
