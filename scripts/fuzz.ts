/**
 * Property fuzzing of every parser: `npm run fuzz -- [NAME...] [--minutes N] [--seed N]`. A file `x.fuzz.ts` beside a
 * parser registers it; see docs/development.md.
 *
 * An input is made of random bytes, of the parser's own pieces, and of repetitions of these. It must not throw, and
 * must not take longer than MAX_INPUT_MS: what is quadratic hangs here.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';

/** One of what a fuzz file exports as `targets`. */
export interface FuzzTarget {
  readonly name: string;
  /** Pieces that mean something to the parser. */
  readonly pieces: readonly string[];
  /** Takes any bytes. @throws when the parser is wrong */
  readonly run: (bytes: Uint8Array) => void | Promise<void>;
}

const root = join(import.meta.dirname, '..');
const DEFAULT_MINUTES = 1;
const MS_PER_MINUTE = 60_000;
/** A hundred times what the largest input takes. */
const MAX_INPUT_MS = 5_000;
const MAX_PIECES = 60;
const MAX_REPETITIONS = 2_000;

function inputs({ pieces }: FuzzTarget): fc.Arbitrary<Uint8Array> {
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...pieces).map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => Buffer.from(text)) },
  );
  const repeated = fc.tuple(piece, fc.integer({ min: 1, max: MAX_REPETITIONS })).map(([bytes, times]) => Buffer.concat(Array<Buffer>(times).fill(bytes)));
  return fc.array(fc.oneof({ weight: 20, arbitrary: piece }, { weight: 1, arbitrary: repeated }), { maxLength: MAX_PIECES }).map((parts) => new Uint8Array(Buffer.concat(parts)));
}

/** @returns whether nothing was found */
async function fuzz(target: FuzzTarget, minutes: number, seed: number | undefined): Promise<boolean> {
  let runs = 0;
  const property = fc.asyncProperty(inputs(target), async (bytes) => {
    runs += 1;
    const startMs = performance.now();
    await target.run(bytes);
    const tookMs = performance.now() - startMs;
    if (tookMs > MAX_INPUT_MS) throw new Error(`took ${Math.round(tookMs)} ms for ${bytes.length} bytes`);
  });
  const result = await fc.check(property, { numRuns: Infinity, interruptAfterTimeLimit: minutes * MS_PER_MINUTE, ...(seed === undefined ? {} : { seed }) });
  const isFound = result.counterexample !== null;
  process.stdout.write(`${target.name}: ${runs} inputs, seed ${result.seed}, ${isFound ? 'FAILED' : 'clean'}\n`);
  if (isFound) process.stdout.write(`  ${Buffer.from(result.counterexample[0]).toString('base64')} (base64)\n  ${String(result.errorInstance)}\n`);
  return !isFound;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { minutes: { type: 'string', default: String(DEFAULT_MINUTES) }, seed: { type: 'string' } } });
const files = globSync('{shared,helper,relay,extension}/src/**/*.fuzz.ts', { cwd: root }).sort();
const all = await Promise.all(files.map(async (file) => ((await import(join(root, file))) as { targets: readonly FuzzTarget[] }).targets));
const names = all.flat().map(({ name }) => name);
const [minutes, seed] = [Number(values.minutes), values.seed === undefined ? undefined : Number(values.seed)];
if (positionals.some((name) => !names.includes(name)) || !(minutes > 0) || Number.isNaN(seed)) {
  process.stderr.write(`Use: npm run fuzz -- [NAME...] [--minutes N] [--seed N]; parsers: ${names.join(', ')}\n`);
  process.exit(2);
}
for (const target of all.flat().filter(({ name }) => positionals.length === 0 || positionals.includes(name))) if (!(await fuzz(target, minutes, seed))) process.exitCode = 1;
