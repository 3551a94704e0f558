import { readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { leftoversOf, writeAtomically } from './files.ts';

/** Above the highest that Linux and macOS give. */
const GONE = 2 ** 22 + 1;
const ALIVE = process.ppid;
let directory: string;
let path: string;
beforeEach(() => {
  directory = temporaryDirectory();
  path = join(directory, 'memory.json');
});

it.each([
  ['of a process that is gone', `memory.json.${GONE}.tmp`, 0, true],
  ['of an earlier process with our number', `memory.json.${process.pid}.tmp`, 0, true],
  ['of a process that may be writing', `memory.json.${ALIVE}.tmp`, 0, false],
  ['older than any write', `memory.json.${ALIVE}.tmp`, 61, true],
  ['of another file', `other.json.${GONE}.tmp`, 0, false],
  ['with a name that is not ours', 'memory.json.old.tmp', 0, false],
])('a leftover %s goes with the next write, or stays: %s', (_, name, ageS, goes) => {
  const leftover = join(directory, name);
  writeFileSync(leftover, 'where somebody has been');
  const writtenS = Date.now() / 1000 - ageS;
  utimesSync(leftover, writtenS, writtenS);
  expect(leftoversOf(path)).toEqual(goes ? [leftover] : []);
  writeAtomically(path, 'new', 0o600);
  expect(readdirSync(directory).sort()).toEqual(goes ? ['memory.json'] : ['memory.json', name].sort());
  expect(readFileSync(path, 'utf8')).toBe('new');
});

it('is not written where it may not be replaced at the last moment, and leaves nothing', () => {
  writeFileSync(path, 'old');
  const seen: string[] = [];
  const isWritten = writeAtomically(path, 'new', 0o600, (temporary) => {
    seen.push(readFileSync(temporary, 'utf8'), readFileSync(path, 'utf8'));
    return false;
  });
  expect([isWritten, seen, readdirSync(directory), readFileSync(path, 'utf8')]).toEqual([false, ['new', 'old'], ['memory.json'], 'old']);
  expect([writeAtomically(path, 'new', 0o600), readFileSync(path, 'utf8')]).toEqual([true, 'new']);
});
