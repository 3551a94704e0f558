import { expect, it } from 'vitest';
import { isAttachment } from './mediaType.ts';

it.each([
  [null, false],
  ['attachment', true],
  [' Attachment; filename=a.html', true],
  ['attachment filename=a.html', true],
  ['inline', false],
  ['INLINE; filename=a.html', false],
  ['form-data; name=a', true],
  ['filename=a.html', false],
  ['', false],
])('Content-Disposition %j: kept as a file %s', (value, expected) => expect(isAttachment(value === null ? [] : ['Content-Disposition', value])).toBe(expected));
