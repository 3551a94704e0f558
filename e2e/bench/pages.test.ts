import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { findPages } from './pages.ts';

describe('findPages', () => {
  let directory: string;
  beforeEach(async () => {
    directory = temporaryDirectory();
    for (const set of ['old', 'modern']) await mkdir(join(directory, set));
    for (const file of ['old/b.com.warc.gz', 'modern/a.warc', 'modern/README.md']) await writeFile(join(directory, file), '');
  });

  it('finds recorded pages at any depth, each once, by name', async () => {
    const pages = await findPages([directory, join(directory, 'modern/a.warc')]);
    expect(pages).toEqual([{ name: 'a', path: join(directory, 'modern/a.warc') }, { name: 'b.com', path: join(directory, 'old/b.com.warc.gz') }]);
  });

  it('refuses two pages of one name, of which only one would be measured', async () => {
    await writeFile(join(directory, 'old/a.warc.gz'), '');
    await expect(findPages([directory])).rejects.toMatchObject({ code: 'E_PAGES' });
  });

  it('refuses a place without any', async () => {
    await expect(findPages([join(directory, 'nowhere')])).rejects.toMatchObject({ code: 'E_PAGES' });
  });
});
