import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ControlLines, parseControlLine } from './controlLines.ts';
import { MAX_CONTROL_LINE_BYTES } from './wire.ts';

it('lines are the same whatever pieces they come in', () => {
  fc.assert(
    fc.property(fc.array(fc.string().filter((text) => !text.includes('\n'))), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (made, sizes) => {
      const text = made.map((line) => `${line}\n`).join('');
      const lines = new ControlLines();
      const found: string[] = [];
      for (let at = 0, n = 0; at < text.length; n += 1) {
        const size = sizes[n % sizes.length] ?? 1;
        found.push(...lines.push(text.slice(at, at + size)));
        at += size;
      }
      expect(found).toEqual(made);
    }),
  );
});

it('a line may be so long, and no longer, whether it has ended or not', () => {
  const longest = 'x'.repeat(MAX_CONTROL_LINE_BYTES);
  expect(new ControlLines().push(`${longest}\n`)).toEqual([longest]);
  for (const text of [`${longest}x`, `${longest}x\n`]) expect(() => new ControlLines().push(text)).toThrow(expect.objectContaining({ code: 'E_RELAY_CONTROL' }) as Error);
});

it('what is no JSON has a code', () => {
  expect(parseControlLine('{"a":1}')).toEqual({ a: 1 });
  expect(() => parseControlLine('{')).toThrow(expect.objectContaining({ code: 'E_RELAY_CONTROL' }) as Error);
});
