import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { spoolFiles } from '../testing/spoolFiles.ts';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { SpoolFile } from './spoolFile.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

it('gives back what was written, wherever it begins', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1, maxLength: 70 }), { minLength: 1, maxLength: 8 }), async (chunks) => {
      const file = await SpoolFile.open(directory);
      let offset = 0;
      for (const chunk of chunks) {
        await file.write(chunk, offset);
        offset += chunk.length;
      }
      expect(await file.read(0, offset)).toEqual(Buffer.concat(chunks));
      const last = chunks.at(-1) ?? Buffer.alloc(0);
      expect(await file.read(offset - last.length, last.length)).toEqual(Buffer.from(last));
      await file.close();
    }),
    { numRuns: 50 },
  );
});

it.runIf(process.platform === 'linux')('on the disk nothing can be read, and the same looks different in each file', async () => {
  const secret = Buffer.from('session=0123456789abcdef; a page that only one may read');
  const files = [await SpoolFile.open(directory), await SpoolFile.open(directory)];
  for (const file of files) await file.write(secret, 0);
  const [first, second] = spoolFiles(directory).map((path) => readFileSync(path));
  expect([first?.length, first?.includes(secret.subarray(0, 8)), first?.equals(second ?? secret)]).toEqual([secret.length, false, false]);
  for (const file of files) await file.close();
});
