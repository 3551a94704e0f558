import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BenchError } from '../errors.ts';
import { cappedHelper } from './cappedHelper.ts';

const SOURCE = join(import.meta.dirname, '../../../shared/src/fetching/connectionBudget.ts');

describe('cappedHelper', () => {
  it('changes that one number', () => {
    expect(cappedHelper('a;\nconst STOCK_CONNECTIONS_PER_SERVER = 6;\nb(STOCK_CONNECTIONS_PER_SERVER);', 2)).toBe('a;\nconst STOCK_CONNECTIONS_PER_SERVER = 2;\nb(STOCK_CONNECTIONS_PER_SERVER);');
  });

  it('finds the number where it comes from', () => {
    expect(cappedHelper(readFileSync(SOURCE, 'utf8'), 3)).toContain('const STOCK_CONNECTIONS_PER_SERVER = 3;');
  });

  it.each(['', 'const STOCK_CONNECTIONS_PER_SERVER = 6; const STOCK_CONNECTIONS_PER_SERVER = 6;'])('refuses what it does not know: %j', (bundle) => {
    expect(() => cappedHelper(bundle, 2)).toThrow(BenchError);
  });
});
