import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDirectory } from '../../bench/commandLine.ts';
import { HelperOfTests } from '../../relay/helperOfTests.ts';
import { FarEnd } from './farEnd.ts';
import { loadPage } from './loadPage.ts';
import { pageOf, type Page } from './page.ts';
import { PageServers } from './pageServers.ts';
import type { Fault, PlannedLoad } from './plan.ts';

/** What became of a load. */
export interface Load extends PlannedLoad {
  /** Of the same page without a fault, just before, and with it. */
  readonly calmMs: number;
  readonly ms: number;
  /** By the relay, of the page without a fault. */
  readonly relayedBytes: number;
  readonly violations: readonly string[];
  /** How often its form has reached the server, and whether it was answered. */
  readonly posts: number;
  readonly isPosted: boolean;
}

/** Makes the loads, several at once, each of these with a relay of its own. @param lanes how many at once */
export async function soakRelay(loads: readonly PlannedLoad[], lanes: number, made: (load: Load) => void): Promise<void> {
  await withDirectory('firstscreen-soak-relay-', async (directory) => {
    const servers = await PageServers.start();
    const waiting = loads.values();
    try {
      await Promise.all(Array.from({ length: lanes }, async (_, lane) => {
        const far = await FarEnd.start(path.join(directory, String(lane)));
        try {
          for (const load of waiting) made(await makeLoad(load, far, servers));
        } finally {
          await far.close();
        }
      }));
    } finally {
      await servers.close();
    }
  });
}

async function makeLoad(load: PlannedLoad, far: FarEnd, servers: PageServers): Promise<Load> {
  const [first, calmPage, page] = ['first', 'calm', 'page'].map((name) => pageOf(`${load.number}-${name}`, load.seed)) as [Page, Page, Page];
  for (const each of [first, calmPage, page]) servers.add(each);
  await far.up();
  // one that has heard of no fault yet
  const helper = new HelperOfTests(far.environment(load.mode));
  try {
    await helper.ready();
    // programs that have just begun are slow
    await loadPage(first, servers, helper);
    const before = far.line.carriedBytes;
    const calm = await loadPage(calmPage, servers, helper);
    const relayedBytes = far.line.carriedBytes - before;
    const loading = loadPage(page, servers, helper);
    await sleep(load.at * calm.ms);
    const broken = breakRelay(load.fault, far);
    const { ms, violations, isPosted } = await loading;
    await broken;
    return { ...load, calmMs: calm.ms, relayedBytes, ms, violations: [...calm.violations.map((violation) => `without a fault: ${violation}`), ...violations], posts: servers.posts.get(page.post) ?? 0, isPosted };
  } finally {
    await helper.close();
    far.line.reset();
  }
}

async function breakRelay(fault: Fault, far: FarEnd): Promise<void> {
  switch (fault) {
    case 'none':
      return;
    case 'killed':
      await far.down('SIGKILL');
      return;
    case 'restarted':
      await far.down('SIGTERM');
      await far.up();
      return;
    case 'blackholed':
      far.line.goDead();
      return;
    case 'slowed':
      far.line.slow();
  }
}
