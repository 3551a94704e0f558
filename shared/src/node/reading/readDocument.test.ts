import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { valuesOf } from '../http/rawHeaders.ts';
import { ContentPolicies } from './contentPolicy.ts';
import { readDocument } from './bodyReaders.ts';

const HTML = ['Content-Type', 'text/html; charset=utf-8'];
async function read(response: readonly string[], body: Buffer, status = 200): Promise<string[] | null> {
  const urls: string[] = [];
  const reader = readDocument('http://a.test/', new ContentPolicies('http://a.test/', valuesOf(response, 'content-security-policy')), status, response, (discovered) => urls.push(...discovered.map(({ url }) => url)));
  if (reader === null) return null;
  for (let from = 0; from < body.length; from += 7) reader.write(body.subarray(from, from + 7));
  // decoders work beside the event loop
  await new Promise<void>((resolve) => reader.end(resolve));
  return urls;
}

describe('readDocument', () => {
  it.each([
    ['as it is', HTML, (body: Buffer) => body],
    ['coded', [...HTML, 'Content-Encoding', 'br'], brotliCompressSync],
    ['without a word of its encoding', ['Content-Type', 'text/html'], (body: Buffer) => body],
    ['under a policy that allows it', [...HTML, 'Content-Security-Policy', "default-src 'self'"], (body: Buffer) => body],
    ['under a policy of something else', [...HTML, 'Content-Security-Policy', 'frame-ancestors x'], (body: Buffer) => body],
  ])('a page %s', async (_, response, code) => expect(await read(response, code(Buffer.from('<meta charset=utf-8><img src=ä>')))).toEqual(['http://a.test/%C3%A4']));

  it.each([
    ['no page', ['Content-Type', 'text/plain'], 200],
    ['no type', [], 200],
    ['an error', HTML, 404],
    ['a sandbox', [...HTML, 'Content-Security-Policy', 'sandbox'], 200],
    ['a sandbox in a second field', [...HTML, 'Content-Security-Policy', 'frame-ancestors x', 'content-security-policy', 'sandbox'], 200],
    ['what is kept as a file', [...HTML, 'Content-Disposition', 'attachment; filename=a.html'], 200],
  ])('%s', async (_, response, status) => expect(await read(response, Buffer.from('<img src=a>'), status)).toBeNull());

  it('what its fields name comes first, under their policies, relative to the address of the document', async () => {
    const links = [...HTML, 'Link', '</s.css>; rel=preload; as=style, <i.png>; rel=preload; as=image', 'link', '<http://b.test/x.js>; rel=preload; as=script', 'Content-Security-Policy', "script-src 'self'"];
    expect(await read(links, Buffer.from('<base href=/b/><img src=a><img src=/i.png>'))).toEqual(['http://a.test/s.css', 'http://a.test/i.png', 'http://a.test/b/a']);
  });

  it('what it can not decode names nothing', async () => expect(await read([...HTML, 'Content-Encoding', 'compress'], Buffer.from('<img src=a>'))).toEqual([]));
});
