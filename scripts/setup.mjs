/**
 * Puts everything the project needs in place, or says in one line what is missing and what to do about it.
 *
 * Plain JavaScript without dependencies for Node >= 18, because it runs before node_modules is there. Each step says whether it is current; only when one
 * is not, a lock is taken and the steps that are not current run. So two commands started at once in a fresh checkout do the work once.
 */
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { SetupError } from './setup/error.mjs';
import { goStep, packagesStep } from './setup/machine.mjs';
import { nodeStep, npmStep } from './setup/npm.mjs';
import { binariesStep, distStep, driverStep, pagesStep } from './setup/products.mjs';
import { withLock } from './setup/lock.mjs';

/**
 * One thing to have in place. `current` is asked again under the lock, so it reads the disk each time.
 * @typedef {{ readonly name: string, current(): boolean, run(): Promise<void> }} Step
 */

const OLDEST_NODE_MAJOR = 18;
const MS_PER_SECOND = 1000;

/** @param {string} root */
async function setUp(root) {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE_MAJOR) {
    throw new SetupError('E_SETUP_NODE', `could not start the set-up: Node.js ${process.versions.node} is too old`, `Install Node.js ${OLDEST_NODE_MAJOR} or newer`);
  }
  /** Lanes of a stage run at once, the steps of a lane in order. @type {readonly (readonly (readonly Step[])[])[]} */
  const stages = [
    [[packagesStep(root)]],
    [[npmStep(root), nodeStep(root)], [goStep(root), binariesStep(root), driverStep(root)]],
    [[distStep(root)], [pagesStep(root)]],
  ];
  if (stages.flat(2).every((step) => step.current())) return;
  await withLock(join(root, 'build/setup'), async () => {
    for (const lanes of stages) {
      // the lock is held until all have ended
      const ended = await Promise.allSettled(lanes.map(runLane));
      for (const end of ended) if (end.status === 'rejected') throw end.reason;
    }
  });
}

/** @param {readonly Step[]} steps */
async function runLane(steps) {
  for (const step of steps) {
    if (step.current()) continue;
    const started = Date.now();
    process.stderr.write(`set-up: ${step.name} ...\n`);
    await step.run();
    process.stderr.write(`set-up: ${step.name}: done in ${((Date.now() - started) / MS_PER_SECOND).toFixed(1)} s\n`);
  }
}

try {
  await setUp(fileURLToPath(new URL('..', import.meta.url)));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.code}: ${error.message}. ${error.next}.\n`);
  process.exitCode = 2;
}
