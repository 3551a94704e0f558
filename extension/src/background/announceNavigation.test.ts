import { expect, it, vi } from 'vitest';
import { announceNavigation } from './announceNavigation.ts';

const PAGE = 'https://a.test/news';
const TAB = 3;

interface Given {
  readonly may?: readonly boolean[];
  readonly incognito?: boolean | Error;
  readonly cookieStoreId?: string;
  readonly url?: string;
}

async function told({ may = [true, true], incognito = false, cookieStoreId, url = PAGE }: Given): Promise<string[]> {
  const urls: string[] = [];
  const answers = [...may];
  const get = (tabId: number): Promise<object> => (tabId === TAB && typeof incognito === 'boolean' ? Promise.resolve({ incognito, cookieStoreId }) : Promise.reject(new Error('no tab with this id')));
  vi.stubGlobal('chrome', { tabs: { get } });
  await announceNavigation(TAB, url, () => answers.shift() ?? false, (page) => urls.push(page));
  return urls;
}

it.each<[string, Given, string[]]>([
  ['a page', {}, [PAGE]],
  ['a place in a page: the page', { url: `${PAGE}#place` }, [PAGE]],
  ['a page of a private window: nothing', { incognito: true }, []],
  ['a page of Firefox outside of containers', { cookieStoreId: 'firefox-default' }, [PAGE]],
  ['a page of a container: nothing', { cookieStoreId: 'firefox-container-1' }, []],
  ['a tab that is gone: nothing', { incognito: new Error('gone') }, []],
  ['what the user does not want told: nothing', { may: [false, true] }, []],
  ['what the user switches off meanwhile: nothing', { may: [true, false] }, []],
])('tells of %s', async (_, given, expected) => {
  expect(await told(given)).toEqual(expected);
});
