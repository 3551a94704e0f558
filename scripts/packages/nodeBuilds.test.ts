import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NODE_VERSION, refuseOther } from './nodeBuilds.ts';

it('packs the Node that everything is tested with', () => {
  const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as { packages: Record<string, { version?: string }> };
  expect(NODE_VERSION).toBe(packages['node_modules/node']?.version);
});

it('takes only the archive whose sum was chosen', () => {
  const archive = Buffer.from('archive');
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  expect(() => refuseOther(archive, integrity, 'a')).not.toThrow();
  expect(() => refuseOther(Buffer.from('archivf'), integrity, 'a')).toThrow(expect.objectContaining({ code: 'E_PACKAGE_NODE', message: expect.stringContaining('a') as string }));
});
