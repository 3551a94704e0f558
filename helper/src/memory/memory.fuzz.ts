import { UNSEEN_DOCUMENT, type Visit } from '../../../shared/src/memory/neededObject.ts';
import { PageMemory } from '../../../shared/src/memory/pageMemory.ts';

const NOW_MS = 1.8e12;
const URL_PREFIX = 'https://a.test/';

/** The file of the memory is what its text says, or nothing; and any URL can be visited and forgotten. */
function runMemory(bytes: Uint8Array): void {
  const text = Buffer.from(bytes).toString();
  let stored: unknown = null;
  try {
    stored = JSON.parse(text);
  } catch {
    // a broken file is as none
  }
  const memory = PageMemory.restore(stored) ?? PageMemory.empty();
  const url = URL_PREFIX + text.slice(0, 2_000);
  const visit: Visit = { url, asked: url, objects: [{ url, kind: 'font', bytes: 1, cached: null, isNamed: false, request: { referrer: url, site: null, isCors: true, hasCookies: false } }], origins: [url], document: UNSEEN_DOCUMENT, addresses: [] };
  memory.visited(visit, NOW_MS);
  memory.expected(url);
  if (PageMemory.restore(JSON.parse(JSON.stringify(memory.stored()))) === null) throw new Error('what is stored does not come back');
  memory.sites(() => 'a.test');
  memory.forgetPages([url], NOW_MS);
  if (memory.expected(url).objects.length > 0) throw new Error('a page is not forgotten');
  memory.visited(visit, NOW_MS);
  memory.forgetSite('a.test', NOW_MS);
  if (memory.expected(url).objects.length > 0) throw new Error('a site is not forgotten');
}

export const targets = [
  { name: 'memory', pieces: ['{"version":7,"forgottenMs":0,"pages":[', '],"templates":[', ']}', '["https://a.test/",', '{"visits":1,"day":20000,"objects":[],"trust":{"style":1,"script":1,"font":1,"image":1}}]', '[', ']', '{', '}', ',', '"', '1', '/', '?', '#', '%', '..', 'null'], run: runMemory },
];
