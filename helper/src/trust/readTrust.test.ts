import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryMachine, type TemporaryMachine } from '../testing/temporaryMachine.ts';
import { ownDirectory } from '../userDirectories.ts';
import { readServerAuthorities } from './readTrust.ts';

let machine: TemporaryMachine;
beforeEach(() => void (machine = temporaryMachine('linux')));
afterEach(() => machine.remove());

it('are read from a file that the user alone may write', () => {
  const directory = ownDirectory('CONFIG', machine);
  const path = join(directory, 'server-authorities.pem');
  expect(readServerAuthorities(machine)).toBeNull();
  mkdirSync(directory, { recursive: true });
  writeFileSync(path, 'PEM');
  const read = (mode: number): string | null => {
    chmodSync(path, mode);
    return readServerAuthorities(machine);
  };
  expect([0o600, 0o644, 0o664, 0o666].map(read)).toEqual(['PEM', 'PEM', null, null]);
});

it('are not read from where a link leads', () => {
  const directory = ownDirectory('CONFIG', machine);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'other.pem'), 'PEM');
  symlinkSync('other.pem', join(directory, 'server-authorities.pem'));
  expect(readServerAuthorities(machine)).toBeNull();
});
