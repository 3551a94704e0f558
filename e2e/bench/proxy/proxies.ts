import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { freePort } from '../../../shared/src/node/testing/freePort.ts';
import type { PartName } from '../../../shared/src/parts.ts';
import { HelperOfTests } from '../../relay/helperOfTests.ts';
import type { Route } from './bodyClient.ts';
import { BenchProcess, memoryOfProcess, processorMsOfProcess, type MeasuredProcess } from './childProcess.ts';
import type { Peers } from './peers.ts';
import type { ProxyWay } from './ways.ts';

export interface RunningProxy {
  readonly route: Route;
  readonly process: MeasuredProcess;
}

const LOOPBACK = '127.0.0.1';
const Ready = v.object({ port: v.number() });

/** The built helper, with its spools on disk. @param server its address, which is one of the web to it @param temporaryDir of the run */
export async function startOurs(partsOff: readonly PartName[], server: string, temporaryDir: string): Promise<RunningProxy> {
  const own = await mkdtemp(join(temporaryDir, 'helper-'));
  const helper = new HelperOfTests({
    FIRSTSCREEN_PUBLIC: `${server}/32`, FIRSTSCREEN_PARTS_OFF: ['steppingAside', ...partsOff].join(','),
    // where nothing answers there is no driver
    FIRSTSCREEN_DRIVER_SOCKET: join(own, 'no-driver.sock'),
    XDG_STATE_HOME: own, XDG_CACHE_HOME: own, XDG_RUNTIME_DIR: own,
  });
  await helper.hasProxy();
  const pid = helper.child.pid ?? 0;
  const process = { memory: () => memoryOfProcess(pid), processorMs: () => processorMsOfProcess(pid), stop: () => helper.close() };
  return { process, route: routeOf(helper.port, helper.authorization) };
}

/** @param temporaryDir for spools and what else a proxy keeps; of the run @throws BenchError E_START */
export async function startProxy(way: ProxyWay, temporaryDir: string, peers: Peers): Promise<RunningProxy> {
  switch (way) {
    case 'firstscreen':
      return startOurs([], LOOPBACK, temporaryDir);
    case 'firstscreen-conv':
      return startOurs(['prioritizing', 'reordering', 'connectionManagement', 'foresight'], LOOPBACK, temporaryDir);
    case 'mitmproxy':
      return startMitmproxy(peers, temporaryDir, []);
    case 'mitmproxy-stream':
      return startMitmproxy(peers, temporaryDir, ['--set', 'stream_large_bodies=1m']);
    case 'mockttp': {
      const { process: started, line } = await BenchProcess.withLine(process.execPath, [join(import.meta.dirname, 'mockttpProxy.ts'), peers.mockttpDirectory]);
      return { process: started, route: routeOf(v.parse(Ready, line).port, null) };
    }
  }
}

async function startMitmproxy({ mitmdump }: Peers, temporaryDir: string, settings: readonly string[]): Promise<RunningProxy> {
  const port = await freePort();
  // quiet: a line a request on a terminal would be a part of its cost that no user of it as a library pays
  const options = ['--quiet', '--listen-host', LOOPBACK, '--listen-port', String(port), '--set', `confdir=${join(temporaryDir, 'mitmproxy')}`, ...settings];
  return { process: await BenchProcess.withPort(mitmdump, options, port), route: routeOf(port, null) };
}

function routeOf(port: number, authorization: string | null): Route {
  return { host: LOOPBACK, port, proxy: { authorization } };
}
