import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryMachine, type TemporaryMachine } from '../../testing/temporaryMachine.ts';
import type { FarArchitecture } from './farMachine.ts';
import { findRelayProgram, relayProgramName } from './relayProgram.ts';

const E_MACHINE: Readonly<Record<FarArchitecture, number>> = { x64: 62, arm64: 183 };

let machine: TemporaryMachine;
beforeEach(() => {
  machine = temporaryMachine('linux');
});
afterEach(() => machine.remove());

/** A file that begins as an executable for that machine. */
function put(path: string, architecture: FarArchitecture): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, E_MACHINE[architecture], 0]));
  return path;
}
const find = (architecture: FarArchitecture, named: string | null = null): string => findRelayProgram(architecture, named, machine.executable, machine);
const beside = (architecture: FarArchitecture): string => join(dirname(machine.executable.entry), relayProgramName(architecture));
const inPackage = (): string => join(machine.root, 'usr/lib/firstscreen-relay/firstscreen-relay');

describe.each<FarArchitecture>(['x64', 'arm64'])("the relay's program for %s", (architecture) => {
  const other = architecture === 'x64' ? 'arm64' : 'x64';

  it('is the one that is named', () => {
    put(beside(architecture), architecture);
    const named = put(join(machine.home, 'mine'), architecture);
    expect(find(architecture, named)).toBe(named);
  });

  it('is one beside the helper, else that of the package here', () => {
    const packaged = put(inPackage(), architecture);
    expect(find(architecture)).toBe(packaged);
    const near = put(beside(architecture), architecture);
    expect(find(architecture)).toBe(near);
  });

  it.each([
    ['none is there', () => null, 'neither'],
    ['the package here is for another machine', () => void put(inPackage(), other), 'neither'],
    ['the named one is for another machine', () => put(join(machine.home, 'mine'), other), `it is for ${other}`],
    ['the named one is no executable', () => {
      writeFileSync(join(machine.home, 'mine'), '#!/bin/sh\n');
      return join(machine.home, 'mine');
    }, 'no executable'],
    ['the named one is not there', () => join(machine.home, 'nowhere'), 'ENOENT'],
  ])('is an error where %s', (_case, make, message) => {
    expect(() => find(architecture, make() ?? null)).toThrow(expect.objectContaining({ code: 'E_RELAY_PROGRAM', message: expect.stringContaining(message) as string, next: expect.stringContaining('--program') as string }) as Error);
  });
});

it('is what packaging has made, for a helper that runs from source', () => {
  const source = { ...machine.source, entry: join(machine.root, 'helper/src/main.ts') };
  const made = put(join(machine.root, 'out', relayProgramName('x64')), 'x64');
  expect(findRelayProgram('x64', null, source, machine)).toBe(made);
});
