import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { nameServers } from '../names/nameServers.ts';
import { LOOPBACK, clearStage, secureStage, type Stage, type StageOptions } from './rehearsalStages.ts';
import { rehearsedPage, type RehearsedPage } from './rehearsedPage.ts';

/** After so many V8 has compiled, and optimized, what a page needs; more gain nothing. */
const VISITS = 8;
const IS_ANSWER = 0x80;
const NO_SUCH_NAME = 3;

export interface RehearsalOptions extends StageOptions {
  /** Whether pages of https: will be intercepted. */
  readonly intercepts: boolean;
  /** Settles when no page is under way: a visit is never beside one. */
  readonly settled: () => Promise<void>;
}

/**
 * Visits pages of this process through a proxy that nobody else knows. V8 runs slowly what it runs for the first times:
 * a first page of a hundred objects took the helper 0.25 s of processor, and a later one 0.12 s (docs/adr/0017). On two
 * processors that is time of the page.
 */
export async function rehearse({ intercepts, settled, ...options }: RehearsalOptions): Promise<void> {
  for (const open of intercepts ? [clearStage, secureStage] : [clearStage]) {
    const stage = await open(options);
    try {
      for (let visit = 0; visit < VISITS; visit++) {
        await settled();
        await visitPage(stage, rehearsedPage(`/${visit}/`, stage.origins));
        await askForName();
      }
    } finally {
      await stage.close();
    }
  }
  await settled();
  collectGarbage();
}

/**
 * The rehearsal fills the heap up to where V8 collects next, and that would be while the first page comes: 40 ms in which
 * nothing is passed on (docs/adr/0017). Node has no other call for it.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

function visitPage(stage: Stage, { url, navigation, requests }: RehearsedPage): Promise<void> {
  return stage.visit(async (get) => {
    await get(url, navigation.request);
    await Promise.all(requests().map(([object, fields]) => get(object, fields)));
  });
}

/** A name is asked for, of a resolver in this process that knows none (RFC 1035, section 4.1.1). */
async function askForName(): Promise<void> {
  const resolver = createSocket('udp4');
  resolver.on('message', (question, { port, address }) => {
    question[2] = (question[2] ?? 0) | IS_ANSWER;
    question[3] = NO_SUCH_NAME;
    resolver.send(question, port, address);
  });
  try {
    resolver.bind(0, LOOPBACK);
    await once(resolver, 'listening');
    await nameServers([`${LOOPBACK}:${resolver.address().port}`])('rehearsal.invalid', new Set([4])).catch(() => undefined);
  } finally {
    resolver.close();
  }
}
