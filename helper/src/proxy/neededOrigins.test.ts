import { expect, it } from 'vitest';
import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';
import { neededOrigins } from './neededOrigins.ts';

const needed = (...urls: string[]): NeededObject[] => urls.map((url) => ({ url, kind: 'style', bytes: 0 }));

it('names each origin once, in the order of the objects', () => {
  expect(neededOrigins(needed('https://a.test/1.css', 'http://a.test/2.css', 'https://a.test/3.css', 'https://b.test:8443/4.css'))).toEqual(['https://a.test', 'http://a.test', 'https://b.test:8443']);
});

it('names no more than twelve, the first ones', () => {
  const origins = neededOrigins(needed(...Array.from({ length: 20 }, (_, i) => `https://${i}.test/`)));
  expect([origins.length, origins[0], origins.at(-1)]).toEqual([12, 'https://0.test', 'https://11.test']);
});
