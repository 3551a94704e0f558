import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { RequestEvent } from '../../shared/src/requests/requestEvent.ts';
import { recordTo } from './recordFile.ts';
import { recordingOfMachine } from './recordingOfMachine.ts';

it('writes events as JSON lines of the machine\'s monotonic clock, for the user alone', async () => {
  const file = join(temporaryDirectory(), 'record.jsonl');
  const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
  const lines = (): string[] => {
    try {
      return readFileSync(file, 'utf8').trimEnd().split('\n');
    } catch {
      return [];
    }
  };
  const beforeMs = nowMs();
  const recording = recordingOfMachine();
  recordTo(file, recording);
  recording.recorder?.named('https://a.test/?secret', 'memory');
  recording.recorder?.deferred('https://a.test/?secret');
  const afterMs = nowMs();
  await expect.poll(lines).toHaveLength(2);
  const [first, second] = lines().map((line) => v.parse(RequestEvent, JSON.parse(line)));
  expect(first?.atMs).toBeGreaterThanOrEqual(beforeMs - 0.01);
  expect(second?.atMs).toBeLessThanOrEqual(afterMs + 0.01);
  recording.recorder?.named('https://a.test/', 'document');
  await expect.poll(lines).toHaveLength(3);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
