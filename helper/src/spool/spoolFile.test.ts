import fc from 'fast-check';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../testing/temporaryDirectory.ts';
import { SpoolFile } from './spoolFile.ts';

let directory: string;
let file: SpoolFile;
beforeEach(async () => {
  directory = temporaryDirectory();
  file = await SpoolFile.open(directory);
});
afterEach(async () => {
  await file.close();
});

/** What is on the disk, by the descriptor of this process. */
function onDisk(): Buffer {
  const descriptor = readdirSync('/proc/self/fd').find((each) => {
    try {
      return readlinkSync(`/proc/self/fd/${each}`).startsWith(directory);
    } catch {
      return false;
    }
  });
  return readFileSync(`/proc/self/fd/${descriptor}`);
}

it('gives back what was written, wherever it begins', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1, maxLength: 70 }), { minLength: 1, maxLength: 8 }), async (chunks) => {
      await file.empty();
      let offset = 0;
      for (const chunk of chunks) {
        await file.write(chunk, offset);
        offset += chunk.length;
      }
      expect(await file.read(0, offset)).toEqual(Buffer.concat(chunks));
      const last = chunks.at(-1) ?? Buffer.alloc(0);
      expect(await file.read(offset - last.length, last.length)).toEqual(Buffer.from(last));
    }),
    { numRuns: 50 },
  );
});

it.runIf(process.platform === 'linux')('on the disk nothing can be read, and what is written at a place twice looks different', async () => {
  const secret = Buffer.from('session=0123456789abcdef; a page that only one may read');
  await file.write(secret, 0);
  const first = onDisk();
  await file.empty();
  await file.write(secret, 0);
  expect([first.length, first.includes(secret.subarray(0, 8)), first.equals(onDisk())]).toEqual([secret.length, false, false]);
});
