import { beforeEach, expect, it, vi } from 'vitest';
import { FakeRuntime, NOBODY_ANSWERS, OWN_PAGES } from './testing.ts';
import { answerWelcomePage } from './welcomePage.ts';

const WELCOME = { url: `${OWN_PAGES}welcome.html` };

let runtime: FakeRuntime;
let looks: PromiseWithResolvers<undefined>[];
beforeEach(() => {
  looks = [];
  runtime = new FakeRuntime();
  vi.stubGlobal('chrome', { runtime });
  answerWelcomePage(() => {
    const look = Promise.withResolvers<undefined>();
    looks.push(look);
    return look.promise;
  });
});

it('the welcome page is answered when it is known whether there is a helper, and not before', async () => {
  const answers: unknown[] = [];
  void runtime.ask({ type: 'look' }, WELCOME).then((answer) => answers.push(answer));
  await Promise.resolve();
  expect([looks.length, answers]).toEqual([1, []]);
  looks[0]?.resolve(undefined);
  await expect.poll(() => answers).toEqual([null]);
});

it.each([
  ['a content script', { type: 'look' }, { url: 'https://a.test/' }],
  ['another extension', { type: 'look' }, { id: 'other', url: `${OWN_PAGES}welcome.html` }],
  ['another question', { type: 'status', tabId: 1 }, WELCOME],
  ['a question with more in it', { type: 'look', more: 1 }, WELCOME],
  ['no question', null, WELCOME],
])('for %s nobody looks', async (_, question, sender) => {
  expect(await runtime.ask(question, sender)).toBe(NOBODY_ANSWERS);
  expect(looks).toEqual([]);
});
