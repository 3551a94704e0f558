import { expect, it } from 'vitest';
import { updateListText } from './updateList.ts';

it('names the extension, its version and its package, whatever is in the address', () => {
  const text = updateListText('a'.repeat(32), '1.2.3', 'https://a.test/x?a=1&b="<2>"');
  expect(text).toContain(`appid="${'a'.repeat(32)}"`);
  expect(text).toContain('codebase="https://a.test/x?a=1&amp;b=&quot;&lt;2>&quot;"');
  expect(text).toContain('version="1.2.3"');
});
