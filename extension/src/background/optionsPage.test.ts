import { beforeEach, expect, it, vi } from 'vitest';
import { INITIAL_LINK } from '../../../shared/src/estimation/link.ts';
import type { BackgroundFacts } from '../messages/optionsPage.ts';
import type { HelperLink } from './helperLink.ts';
import { answerOptionsPage } from './optionsPage.ts';
import { FakeRuntime, NOBODY_ANSWERS, OWN_PAGES } from './testing.ts';

const OPTIONS = { url: `${OWN_PAGES}options.html` };
const FACTS: BackgroundFacts = { helperVersion: '1.0.0', link: INITIAL_LINK, loggedCodes: [] };
const SITES = { sites: [{ site: 'a.test', pages: 3, lastDay: 20_000 }], more: 0 };

let runtime: FakeRuntime;
let asked: unknown[];
let capabilities: string[];
let helperAnswers: boolean;
beforeEach(() => {
  [asked, capabilities, helperAnswers] = [[], ['memoryList'], true];
  runtime = new FakeRuntime();
  vi.stubGlobal('chrome', { runtime });
  const helper = {
    can: (capability: string) => capabilities.includes(capability),
    ask: (type: string, payload: unknown) => {
      asked.push([type, payload]);
      return Promise.resolve(!helperAnswers ? null : type === 'remembered' ? SITES : { pages: 3 });
    },
  };
  answerOptionsPage(helper as unknown as HelperLink, () => FACTS);
});

const answerTo = (question: unknown, sender: Parameters<FakeRuntime['ask']>[1] = OPTIONS): Promise<unknown> => runtime.ask(question, sender);

it.each<[object, unknown, unknown[]]>([
  [{ type: 'remembered' }, SITES, [['remembered', {}]]],
  [{ type: 'forget', site: 'a.test' }, 3, [['forget', { site: 'a.test' }]]],
  [{ type: 'forget', site: null }, 3, [['forget', { site: null }]]],
  [{ type: 'facts' }, FACTS, []],
])('%j is answered, by the helper where it alone knows', async (question, answer, questions) => {
  expect(await answerTo(question)).toEqual(answer);
  expect(asked).toEqual(questions);
});

it.each([{ type: 'remembered' }, { type: 'forget', site: null }])('%j has no answer without a helper that can give one, which is not asked', async (question) => {
  helperAnswers = false;
  expect(await answerTo(question)).toBeNull();
  expect(asked).toHaveLength(1);
  capabilities = [];
  expect(await answerTo(question)).toBeNull();
  expect(asked).toHaveLength(1);
});

it.each([
  ['a content script', { type: 'forget', site: null }, { url: 'https://a.test/' }],
  ['another extension', { type: 'remembered' }, { id: 'other', url: `${OWN_PAGES}options.html` }],
  ['an unknown question', { type: 'forgetAll' }, OPTIONS],
  ['a question with more in it', { type: 'facts', more: 1 }, OPTIONS],
  ['a site that is none', { type: 'forget', site: 'https://a.test/' }, OPTIONS],
])('%s gets no answer, and the helper hears nothing', async (_, question, sender) => {
  expect(await answerTo(question, sender)).toBe(NOBODY_ANSWERS);
  expect(asked).toEqual([]);
});
