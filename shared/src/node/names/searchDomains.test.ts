import { expect, it } from 'vitest';
import { parseSearchDomains } from './searchDomains.ts';

it.each([
  ['', []],
  ['nameserver 10.0.0.1\nsearch corp.test  lab.corp.test\n', ['corp.test', 'lab.corp.test']],
  ['search a.test\n\tdomain b.test\n# search c.test', ['b.test']],
  ['search', []],
  ['searching a.test', []],
])('of %j: %j', (text, domains) => expect(parseSearchDomains(text)).toEqual(domains));
