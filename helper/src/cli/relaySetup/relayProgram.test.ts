import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryMachine, type TemporaryMachine } from '../../testing/temporaryMachine.ts';
import type { FarArchitecture } from './farMachine.ts';
import { findRelayProgram, relayArchiveName, type RelayProgram } from './relayProgram.ts';

const E_MACHINE: Readonly<Record<FarArchitecture, number>> = { x64: 62, arm64: 183 };

let machine: TemporaryMachine;
beforeEach(() => void (machine = temporaryMachine('linux')));

/** A file that begins as an executable for that machine; as an archive that begins with it where its name says so. */
function put(path: string, architecture: FarArchitecture): string {
  const executable = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, E_MACHINE[architecture], 0]);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, path.endsWith('.gz') ? gzipSync(Buffer.concat([Buffer.alloc(512), executable, randomBytes(100_000)])) : executable);
  return path;
}

/** What has to lie beside an executable. */
function putLibraries(directory: string, architecture: FarArchitecture): string[] {
  const names = ['sharp', '@img/colour', `@img/sharp-linux-${architecture}`, `@img/sharp-libvips-linux-${architecture}`, 'detect-libc'].map((name) => `node_modules/${name}`);
  for (const name of names) mkdirSync(join(directory, name), { recursive: true });
  return names;
}

const find = (architecture: FarArchitecture, named: string | null = null): RelayProgram => findRelayProgram(architecture, named, machine.executable, machine);
const beside = (architecture: FarArchitecture): string => join(dirname(machine.executable.entry), relayArchiveName(architecture));
const inPackage = (): string => join(machine.root, 'usr/lib/firstscreen-relay/firstscreen-relay');

describe.each<FarArchitecture>(['x64', 'arm64'])("the relay's program for %s", (architecture) => {
  const other = architecture === 'x64' ? 'arm64' : 'x64';

  it.each(['mine', 'mine.tar.gz'])('is the one that is named: %s', (name) => {
    put(beside(architecture), architecture);
    const path = put(join(machine.home, name), architecture);
    expect(find(architecture, path)).toMatchObject({ path, isArchive: name.endsWith('.gz') });
  });

  it('is the archive beside the helper, else what the package here has', () => {
    const packaged = put(inPackage(), architecture);
    const libraries = putLibraries(dirname(packaged), architecture);
    expect(find(architecture)).toEqual({ isArchive: false, path: packaged, libraries });
    const near = put(beside(architecture), architecture);
    expect(find(architecture)).toEqual({ isArchive: true, path: near });
  });

  it('has the libraries beside it, also where a link is named, and only where all for that machine are there', () => {
    const packaged = put(inPackage(), architecture);
    const link = join(machine.home, 'link');
    symlinkSync(packaged, link);
    putLibraries(dirname(packaged), other);
    expect(find(architecture, link)).toMatchObject({ libraries: [] });
    const libraries = putLibraries(dirname(packaged), architecture);
    mkdirSync(join(dirname(packaged), 'node_modules/semver'));
    expect(find(architecture, link)).toMatchObject({ libraries: [...libraries, 'node_modules/semver'] });
  });

  it.each([
    ['none is there', () => null, 'neither'],
    ['the package here is for another machine', () => void put(inPackage(), other), 'neither'],
    ['the named one is for another machine', () => put(join(machine.home, 'mine'), other), `it is for ${other}`],
    ['the named archive is for another machine', () => put(join(machine.home, 'mine.tar.gz'), other), `it is for ${other}`],
    ['the named one is no executable', () => {
      writeFileSync(join(machine.home, 'mine'), '#!/bin/sh\n');
      return join(machine.home, 'mine');
    }, 'no executable'],
    ['the named one only looks like an archive', () => {
      writeFileSync(join(machine.home, 'mine'), Buffer.from([0x1f, 0x8b, 0, 0]));
      return join(machine.home, 'mine');
    }, 'no executable'],
    ['the named one is not there', () => join(machine.home, 'nowhere'), 'ENOENT'],
  ])('is an error where %s', (_case, make, message) => {
    expect(() => find(architecture, make() ?? null)).toThrow(expect.objectContaining({ code: 'E_RELAY_PROGRAM', message: expect.stringContaining(message) as string, next: expect.stringContaining('--program') as string }) as Error);
  });
});

it('is what packaging has made, for a helper that runs from source', () => {
  const source = { ...machine.source, entry: join(machine.root, 'helper/src/main.ts') };
  const made = put(join(machine.root, 'out', relayArchiveName('x64')), 'x64');
  expect(findRelayProgram('x64', null, source, machine)).toMatchObject({ path: made });
});
