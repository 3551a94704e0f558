import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Of the test that runs, or is prepared by its `beforeEach`: it goes when the test is over, after `afterEach`. @param name its beginning */
export function temporaryDirectory(name = 'firstscreen-test-'): string {
  const directory = mkdtempSync(join(tmpdir(), name));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}
