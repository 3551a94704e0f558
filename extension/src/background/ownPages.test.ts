import { literal, strictObject } from 'valibot';
import { beforeEach, expect, it, vi } from 'vitest';
import { answerOwnPages } from './ownPages.ts';
import { FakeRuntime, NOBODY_ANSWERS, OWN_PAGES } from './testing.ts';

const QuestionSchema = strictObject({ type: literal('asked') });
const PAGE = { url: `${OWN_PAGES}popup.html` };

let runtime: FakeRuntime;
beforeEach(() => {
  runtime = new FakeRuntime();
  vi.stubGlobal('chrome', { runtime });
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
});

it('a page of the extension itself is answered, and nobody else', async () => {
  answerOwnPages(QuestionSchema, ({ type }) => Promise.resolve(type));
  expect(await runtime.ask({ type: 'asked' }, PAGE)).toBe('asked');
  expect(await runtime.ask({ type: 'other' }, PAGE)).toBe(NOBODY_ANSWERS);
  expect(await runtime.ask({ type: 'asked' }, { url: 'https://a.test/' })).toBe(NOBODY_ANSWERS);
  expect(await runtime.ask({ type: 'asked' }, { ...PAGE, id: 'other' })).toBe(NOBODY_ANSWERS);
});

it('a page does not wait for an answer that fails', async () => {
  answerOwnPages(QuestionSchema, () => Promise.reject(new Error('test')));
  expect(await runtime.ask({ type: 'asked' }, PAGE)).toBeNull();
});
