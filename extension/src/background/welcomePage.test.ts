import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answerWelcomePage } from './welcomePage.ts';

const ID = 'fepfabdflbifdndnhdbidecgakckoigg';
const PAGES = `chrome-extension://${ID}/`;
const WELCOME = { id: ID, url: `${PAGES}welcome.html` };

let ask: (input: unknown, sender: object, respond: (answer: unknown) => void) => true | undefined;
let looks: PromiseWithResolvers<undefined>[];
beforeEach(() => {
  looks = [];
  vi.stubGlobal('chrome', { runtime: { id: ID, getURL: () => PAGES, onMessage: { addListener: (listener: typeof ask) => (ask = listener) } } });
  answerWelcomePage(() => {
    const look = Promise.withResolvers<undefined>();
    looks.push(look);
    return look.promise;
  });
});
afterEach(() => vi.unstubAllGlobals());

it('the welcome page is answered when it is known whether there is a helper, and not before', async () => {
  const answers: unknown[] = [];
  expect(ask({ type: 'look' }, WELCOME, (answer) => answers.push(answer))).toBe(true);
  await Promise.resolve();
  expect([looks.length, answers]).toEqual([1, []]);
  looks[0]?.resolve(undefined);
  await vi.waitFor(() => expect(answers).toEqual([null]));
});

it.each([
  ['a content script', { type: 'look' }, { id: ID, url: 'https://a.test/' }],
  ['another extension', { type: 'look' }, { id: 'other', url: `${PAGES}welcome.html` }],
  ['another question', { type: 'status', tabId: 1 }, WELCOME],
  ['a question with more in it', { type: 'look', more: 1 }, WELCOME],
  ['no question', null, WELCOME],
])('for %s nobody looks', (_, question, sender) => {
  expect(ask(question, sender, () => undefined)).toBeUndefined();
  expect(looks).toEqual([]);
});
