/**
 * What a body that both ends have had takes away of the next one like it, beside gzip and brotli: mails of 1 to 10 kB, and pages that come again:
 * node relay/src/testing/vocabulary.ts [--seed N]
 * Texts are made of sentences of docs/, none of which comes twice.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { seededRandom, shuffled, type Random } from '../../../shared/src/statistics/random.ts';
import { ZSTD } from '../encoding/bodyEncoders.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
/** Mails of 1 to 10 kB, as A3's. */
const MAIL_BYTES = [1_000, 2_000, 5_000, 10_000] as const;
/** Each but the first is coded against the one before. */
const IN_A_ROW = 10;
const [MIN_SENTENCE, MAX_SENTENCE] = [30, 220];
const NEWS = 30;
const NEW_NEWS = 3;

/** Bodies that come one after the other. */
interface Row {
  readonly name: string;
  readonly bodies: readonly Buffer[];
}

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } });
const random = seededRandom(Number(values.seed));
const sentences = shuffled(sentencesOf(DOCS), random);
const rows: Row[] = [
  ...MAIL_BYTES.map((bytes) => ({ name: `new mails of one sender, ${bytes / 1000} kB`, bodies: mails(bytes, false) })),
  ...MAIL_BYTES.map((bytes) => ({ name: `replies that quote, ${bytes / 1000} kB`, bodies: mails(bytes, true) })),
  { name: 'web mail: another mail of 2 kB in its page', bodies: mails(2_000, false).map(inPage) },
  { name: 'a page of news, three of thirty new', bodies: newsPages() },
  { name: 'another article in the same page', bodies: Array.from({ length: IN_A_ROW }, () => inPage(Buffer.from(take(6_000)))) },
];
process.stdout.write('| | bytes each | gzip 6 | brotli 5 | brotli 11 | relay, nothing had | relay, the one before had | if all before were the dictionary |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n');
for (const { name, bodies } of rows) process.stdout.write(`| ${[name, Math.round(sumOf(bodies.slice(1)) / (bodies.length - 1)), ...ratios(bodies)].join(' | ')} |\n`);

/** How many times smaller all but the first are. @throws Error where a body does not come back as it was */
function ratios(bodies: readonly Buffer[]): string[] {
  const later = bodies.slice(1);
  const brotli = (quality: number) => (body: Buffer): Buffer => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } });
  const against = (dictionary: Buffer, body: Buffer): Buffer => {
    const coded = zstdCompressSync(body, { params: ZSTD, dictionary });
    if (!zstdDecompressSync(coded, { dictionary }).equals(body)) throw new Error('a body has changed');
    return coded;
  };
  const ways: readonly ((body: Buffer, place: number) => Buffer)[] = [(body) => gzipSync(body, { level: 6 }), brotli(5), brotli(11), (body) => zstdCompressSync(body, { params: ZSTD }), (body, place) => against(bodies[place] ?? Buffer.alloc(0), body), (body, place) => against(Buffer.concat(bodies.slice(0, place + 1)), body)];
  return ways.map((way) => (sumOf(later) / sumOf(later.map(way))).toFixed(1));
}

function sumOf(bodies: readonly Uint8Array[]): number {
  return bodies.reduce((sum, { length }) => sum + length, 0);
}

/** A thread: fields as mail programs write them, text, a signature, and for a reply the mail before it. */
function mails(bytes: number, isReply: boolean): Buffer[] {
  const texts: string[] = [];
  for (let place = 0; place < IN_A_ROW; place += 1) {
    const before = texts[place - 1];
    const quoted = isReply && before !== undefined ? before.slice(before.indexOf('\r\n\r\n')).trim().split('\r\n').slice(0, bytes / 80).map((line) => `> ${line}`).join('\r\n') : '';
    const head = headOf(place, random);
    const signature = '-- \r\nAda Example\r\nExample Ltd, 1 Example Street, Exampleton\r\nPhone +00 000 000 000\r\n';
    const text = take(Math.max(200, bytes - head.length - quoted.length - signature.length));
    texts.push(`${head}\r\n${text}\r\n\r\n${quoted}\r\n${signature}`);
  }
  return texts.map((text) => Buffer.from(text));
}

function headOf(place: number, dice: Random): string {
  const id = (): string => Math.floor(dice() * 2 ** 52).toString(36);
  const signed = (bytes: number): string => Buffer.from(Array.from({ length: bytes }, () => Math.floor(dice() * 256))).toString('base64');
  return [
    'Return-Path: <ada@example.com>', `Received: from mail.example.com (mail.example.com [192.0.2.1]) by mx.example.net (Postfix) with ESMTPS id ${id()}`, '\tfor <bob@example.net>; Thu, 26 Nov 2026 10:00:00 +0000 (UTC)',
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=mail; h=from:to:subject:date; bh=${signed(32)};`, `\tb=${signed(128)}`,
    `Message-ID: <${id()}@example.com>`, `Date: Thu, 26 Nov 2026 10:0${place}:00 +0000`, 'MIME-Version: 1.0', 'From: Ada Example <ada@example.com>', 'To: Bob Example <bob@example.net>',
    `Subject: ${take(40).slice(0, 60)}`, 'Content-Type: text/plain; charset=UTF-8; format=flowed', 'Content-Transfer-Encoding: 8bit', '',
  ].join('\r\n');
}

/** As a site shows it: what stands around it is the same each time. */
function inPage(body: Buffer): Buffer {
  const links = Array.from({ length: 40 }, (_, i) => `<li class="navigation__item"><a class="navigation__link" href="/folder/${i}" data-folder="${i}">Folder ${i}</a></li>`).join('\n');
  const style = Array.from({ length: 40 }, (_, i) => `.navigation__item--${i}{padding:${i}px;margin:0 ${40 - i}px;color:#${(i * 40_503 + 4_096).toString(16).padStart(6, '0')}}`).join('');
  return Buffer.from(`<!doctype html><html lang=en><head><meta charset=utf-8><title>Mail</title><style>${style}</style></head><body><ul class=navigation>\n${links}\n</ul><main><pre>${String(body)}</pre></main></body></html>`);
}

/** The same page an hour later, again and again: some news have gone, some have come, and each tells how old it is. */
function newsPages(): Buffer[] {
  let news = Array.from({ length: NEWS }, () => take(300));
  return Array.from({ length: IN_A_ROW }, (_, hours) => {
    if (hours > 0) news = [...Array.from({ length: NEW_NEWS }, () => take(300)), ...news.slice(0, NEWS - NEW_NEWS)];
    const items = news.map((text, place) => `<article class=item id=n${place}><h2>${text.slice(0, 60)}</h2><p>${text}</p><time>${place + hours} h</time></article>`).join('\n');
    return inPage(Buffer.from(items));
  });
}

/** So many bytes of sentences that nothing has had. */
function take(bytes: number): string {
  const taken: string[] = [];
  for (let length = 0; length < bytes;) {
    const sentence = sentences.pop();
    if (sentence === undefined) throw new Error('there are no more sentences');
    taken.push(sentence);
    length += sentence.length + 1;
  }
  return taken.join('\r\n').slice(0, bytes);
}

function sentencesOf(directory: string): string[] {
  const files = [directory, join(directory, 'adr')].flatMap((place) => readdirSync(place).filter((name) => name.endsWith('.md')).map((name) => join(place, name)));
  const all = files.sort().flatMap((file) => readFileSync(file, 'utf8').replaceAll(/\|[^\n]*\|/g, '').replaceAll(/\s+/g, ' ').split(/(?<=[.:;]) /));
  return [...new Set(all)].filter(({ length }) => length >= MIN_SENTENCE && length <= MAX_SENTENCE);
}
