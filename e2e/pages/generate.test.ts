import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';

import { generatePage } from './generate.ts';

/** Recorded bodies by URL, in recorded order. */
type Recording = ReadonlyMap<string, Buffer>;

function read(encoded: Uint8Array): Recording {
  const objects = new Map<string, Buffer>();
  let rest = gunzipSync(encoded);
  while (rest.length > 0) {
    const headEnd = rest.indexOf('\r\n\r\n');
    const head = rest.subarray(0, headEnd).toString();
    const block = rest.subarray(headEnd + 4, headEnd + 4 + Number(/Content-Length: (\d+)/.exec(head)?.[1]));
    const url = /WARC-Target-URI: (\S+)/.exec(head)?.[1];
    if (url !== undefined) objects.set(url, block.subarray(block.indexOf('\r\n\r\n') + 4));
    rest = rest.subarray(headEnd + 8 + block.length);
  }
  return objects;
}

const texts = (recording: Recording): string =>
  [...recording].filter(([url]) => !/\.(?:jpg|png|woff2)$/.test(url)).map(([, body]) => body.toString()).join('\n');

// One page of each design; a design's lengths differ in numbers only.
describe.each(['news-medium', 'gallery-medium', 'shop-medium', 'newspaper'])('%s', (name) => {
  let encoded: Uint8Array;
  let recording: Recording;
  beforeAll(async () => {
    encoded = await generatePage(name, 1);
    recording = read(encoded);
  });

  test('is entered at its document', () => {
    const [url, body] = [...recording][0] ?? [];
    expect(url).toMatch(/^https:\/\/\w+\.demo\.test\/$/);
    expect(body?.toString()).toMatch(/^<!DOCTYPE html>/);
  });

  test('refers to nothing that is not recorded, and records nothing that is not referred to', () => {
    const referred = new Set(texts(recording).match(/https:\/\/[a-z0-9.]+\/[\w./-]+/g));
    const [entry, ...others] = recording.keys();
    expect(entry).toBeDefined();
    expect([...referred].sort()).toEqual(others.sort());
  });

  test('has what a real page has: hosts, styles, a blocking script, fonts, a sprite, hidden pictures, some without a size', () => {
    const hosts = new Set([...recording.keys()].map((url) => new URL(url).host));
    expect(hosts.size).toBeGreaterThanOrEqual(4);
    const all = texts(recording);
    expect(all).toMatch(/<script src="[^"]+"><\/script>/);
    expect(all).toMatch(/@font-face/);
    expect(all).toMatch(/icons\.png\) 0 0\//);
    expect(all).toMatch(/display:none/);
    expect(all).toMatch(/<img src="[^"]+" alt/);
  });

  test('has pictures whose sizes differ widely', () => {
    const sizes = [...recording].filter(([url]) => url.endsWith('.jpg')).map(([, body]) => body.length);
    expect(Math.min(...sizes)).toBeLessThan(3_000);
    expect(Math.max(...sizes)).toBeGreaterThan(40_000);
    expect(Math.max(...sizes)).toBeLessThan(150_000);
  });
});

test('an essay has one picture in view, and larger ones before and after it in the document', async () => {
  const recording = read(await generatePage('essay', 1));
  const pictures = [...recording].filter(([url]) => url.endsWith('.jpg'));
  const [before, inView, ...after] = pictures.map(([, body]) => body.length);
  expect(inView).toBeGreaterThan(60_000);
  for (const bytes of [before, ...after]) expect(bytes).toBeGreaterThan(1.5 * (inView ?? 0));
  const [document = ''] = [...recording.values()].map(String);
  expect(pictures.map(([url]) => document.indexOf(url))).toEqual(pictures.map(([url]) => document.indexOf(url)).sort((a, b) => a - b));
});

test('the same seed gives the same bytes, another seed another page', async () => {
  const first = await generatePage('news-short', 5);
  const again = await generatePage('news-short', 5);
  const other = await generatePage('news-short', 6);
  expect(Buffer.from(first).equals(again)).toBe(true);
  expect(Buffer.from(first).equals(other)).toBe(false);
});

test('an unknown page is refused', async () => {
  await expect(generatePage('nothing', 1)).rejects.toThrow(RangeError);
});
