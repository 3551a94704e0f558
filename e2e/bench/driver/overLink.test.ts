import { readlink } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { networkPath } from './overLink.ts';

test('a network namespace is found by its name while a process is in it', async () => {
  const own = await readlink('/proc/self/ns/net');
  expect(await readlink(await networkPath(own))).toBe(own);
  await expect(networkPath('net:[1]')).rejects.toThrow('no process is in net:[1]');
});
