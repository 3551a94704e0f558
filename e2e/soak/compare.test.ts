import { expect, it } from 'vitest';
import { failedOf, type Observed, violationsOf } from './compare.ts';

const NONE = { lost: [], repeated: [] };
const HOW = 'GET https';
const NAMES = ['own/', 'own/style.css', 'own/background.png', 'own/near.png'];

function whole(): { page: { notes: Record<string, unknown>; images: Record<string, unknown>; resources: Record<string, unknown>; title: string }; requests: Observed['requests'] } {
  return {
    page: {
      notes: { document: ['parsed', 'loaded'], '<own/near.png>': ['load'] },
      images: { 'own/near.png': '20x20' },
      resources: { 'own/style.css': 1, 'own/background.png': 1, 'own/near.png': 1 },
      title: 't',
    },
    requests: NAMES.map((object) => ({ how: HOW, object })),
  };
}

function without(...objects: readonly string[]): Observed {
  const { page, requests } = whole();
  const left = (facts: Readonly<Record<string, unknown>>): Record<string, unknown> => Object.fromEntries(Object.entries(facts).filter(([object]) => !objects.includes(object)));
  const errors = Object.fromEntries(objects.map((object) => [`<${object}>`, ['error']]));
  return { page: { ...page, notes: { ...page.notes, ...errors }, images: left(page.images), resources: left(page.resources) }, requests: requests.filter(({ object }) => !objects.includes(object)) };
}

it('finds nothing in a load that is as stock\'s', () => {
  expect(violationsOf(whole(), whole(), NONE)).toEqual([]);
});

it('finds objects that are lost, in all that shows them', () => {
  expect(violationsOf(whole(), without('own/near.png'), NONE)).toEqual([
    'GET https own/near.png: asked for 0 times instead of 1',
    'own/near.png (event): the page saw ["error"] instead of ["load"]',
    'own/near.png (image): the page saw nothing instead of "20x20"',
    'own/near.png (resource): the page saw nothing instead of 1',
  ]);
});

it('knows of what the page has heard that it failed', () => {
  expect(failedOf(without('own/near.png').page)).toEqual(['own/near.png']);
  expect(failedOf(whole().page)).toEqual([]);
  expect(failedOf('the load takes more than 40000 ms')).toEqual([]);
});

it('finds objects that stock never asks for, and pages that tell nothing', () => {
  const { page, requests } = whole();
  expect(violationsOf(whole(), { page, requests: [...requests, { how: HOW, object: 'own/other.png' }] }, NONE)).toEqual(['GET https own/other.png: asked for 1 times instead of 0']);
  expect(violationsOf(whole(), { page: 'broken', requests }, NONE)).toContain('own/ (page): the page saw "broken" instead of nothing');
});

it('excuses an object with what hangs on it, and nothing else', () => {
  expect(violationsOf(whole(), without('own/near.png'), { ...NONE, lost: ['own/near.png'] })).toEqual([]);
  expect(violationsOf(whole(), without('own/style.css', 'own/background.png'), { ...NONE, lost: ['own/style.css'] })).toEqual([]);
  expect(violationsOf(whole(), without('own/near.png'), { ...NONE, lost: ['own/style.css'] })).not.toEqual([]);
});

it('excuses everything with the document', () => {
  expect(violationsOf(whole(), { page: 'net::ERR_NETWORK_CHANGED', requests: [] }, { ...NONE, lost: ['own/'] })).toEqual([]);
});

it('excuses nobody who asks twice, unless the object may be asked for once more', () => {
  const { page, requests } = whole();
  const again = { how: HOW, object: 'own/near.png' };
  expect(violationsOf(whole(), { page, requests: [...requests, again] }, { ...NONE, lost: ['own/', 'own/near.png'] })).toEqual(['GET https own/near.png: asked for 2 times instead of 1']);
  expect(violationsOf(whole(), { page, requests: [...requests, again] }, { ...NONE, repeated: ['own/near.png'] })).toEqual([]);
  expect(violationsOf(whole(), { page, requests: [...requests, again] }, { ...NONE, repeated: ['own/'] })).not.toEqual([]);
  expect(violationsOf(whole(), { page, requests: [...requests, again, again] }, { ...NONE, repeated: ['own/near.png'] })).toEqual(['GET https own/near.png: asked for 3 times instead of 1']);
});
