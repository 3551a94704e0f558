import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { refuseOther } from './npmArchive.ts';

it('takes only the archive whose sum was chosen', () => {
  const archive = Buffer.from('archive');
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  expect(() => refuseOther(archive, integrity, 'a')).not.toThrow();
  expect(() => refuseOther(Buffer.from('archivf'), integrity, 'a')).toThrow(expect.objectContaining({ code: 'E_PACKAGE_NODE', message: expect.stringContaining('a') as string }));
});
