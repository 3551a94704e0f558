import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RELAY_RELEASE } from './version.ts';

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifestAt = (path: string): Manifest => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Manifest;

it('is the version of both packages, whose dependencies are the same', () => {
  const [own, root] = [manifestAt('../package.json'), manifestAt('../../package.json')];
  expect([own.version, root.version]).toEqual([RELAY_RELEASE, RELAY_RELEASE]);
  expect(root.dependencies).toMatchObject(own.dependencies);
});
