import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const PARTS = '{shared,helper,relay,extension,e2e,scripts}';
/** Generous, for two cores that may be shared: a test that hangs is found, one that is merely slow passes. */
const UNIT_TIMEOUT_MS = 60_000;
const BROWSER_TIMEOUT_MS = 180_000;
/** Of making every package, and of a new Debian, beside other tests. */
const PACKAGES_TIMEOUT_MS = 600_000;
/** Of a browser in a mode, with all its cases. */
const HOSTILE_TIMEOUT_MS = 900_000;
/** Of what is waited for: it hardly ever takes a second, but on a busy machine. */
const POLL_TIMEOUT_MS = 30_000;

/** Most processes that tests start are Node's, of the same modules each time. */
const ENV = { NODE_COMPILE_CACHE: join(import.meta.dirname, 'build/compile-cache') };

/** Files that take half a minute and more, the longest first. */
const LONG = [
  'e2e/bench/bench', 'e2e/measure/measure', 'e2e/screens/screens', 'e2e/gate/faults', 'e2e/gate/documents', 'e2e/firefox/gate', 'e2e/gate/images', 'e2e/bench/fwp/page/page', 'e2e/soak/soak', 'e2e/firefox/proxy',
  'helper/src/cli/relaySetup/relaySetup',
];

/** They begin before all others, so that none is left to one worker at the end. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const long = LONG.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.includes(`/${name}.`)));
    return [...long, ...sorted.filter((file) => !long.includes(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        test: {
          name: 'unit',
          env: ENV,
          include: [`${PARTS}/**/*.test.ts`],
          exclude: ['**/*.browser.test.ts', '**/*.package.test.ts', '**/node_modules/**'],
          // on two cores it would be one, and much of these tests is waiting, too
          maxWorkers: 2,
          // what a test has replaced is back before the next
          unstubGlobals: true,
          restoreMocks: true,
          testTimeout: UNIT_TIMEOUT_MS,
          hookTimeout: UNIT_TIMEOUT_MS,
          expect: { poll: { timeout: POLL_TIMEOUT_MS } },
        },
      },
      {
        test: {
          name: 'packages',
          env: ENV,
          include: ['scripts/packages/**/*.package.test.ts'],
          globalSetup: 'scripts/packages/testPackages.ts',
          // much of both files is one tool on one processor
          maxWorkers: 2,
          testTimeout: PACKAGES_TIMEOUT_MS,
          hookTimeout: PACKAGES_TIMEOUT_MS,
        },
      },
      {
        test: {
          name: 'browser',
          env: ENV,
          include: [`${PARTS}/**/*.browser.test.ts`],
          exclude: ['**/node_modules/**', 'e2e/hostile/**'],
          // Half of a test is waiting for a slow link or for what must not come: on two cores two at a time take half as long, more would take each other's processor time.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: BROWSER_TIMEOUT_MS,
          hookTimeout: BROWSER_TIMEOUT_MS,
          expect: { poll: { timeout: POLL_TIMEOUT_MS } },
        },
      },
      {
        test: {
          name: 'hostile',
          env: ENV,
          // two files, one for each browser: on two cores one after the other, on more at once
          include: ['e2e/hostile/**/*.browser.test.ts'],
          testTimeout: BROWSER_TIMEOUT_MS,
          hookTimeout: HOSTILE_TIMEOUT_MS,
        },
      },
    ],
  },
});
