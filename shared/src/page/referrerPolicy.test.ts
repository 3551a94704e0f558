import { expect, it } from 'vitest';
import { referrerPolicyNamed, referrerPolicyOfList, referrerPolicyOfMeta } from './referrerPolicy.ts';

it.each([
  [' Unsafe-URL ', 'unsafe-url', 'unsafe-url', 'unsafe-url'],
  ['always', null, 'unsafe-url', null],
  ['Never', null, 'no-referrer', null],
  ['origin-when-crossorigin', null, 'origin-when-cross-origin', null],
  ['', null, null, null],
  ['origin, something-new', null, null, 'origin'],
  ['no-referrer,strict-origin', null, null, 'strict-origin'],
])('"%s" is the policy %s of an element, %s of a document, %s of its answer', (text, ofElement, ofMeta, ofList) => {
  expect([referrerPolicyNamed(text), referrerPolicyOfMeta(text), referrerPolicyOfList(text)]).toEqual([ofElement, ofMeta, ofList]);
});
