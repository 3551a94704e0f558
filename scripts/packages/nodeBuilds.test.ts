import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NODE_VERSION } from './nodeBuilds.ts';

it('packs the Node that everything is tested with', () => {
  const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as { packages: Record<string, { version?: string }> };
  expect(NODE_VERSION).toBe(packages['node_modules/node']?.version);
});
