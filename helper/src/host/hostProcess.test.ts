import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../shared/src/errors.ts';
import { FIREFOX_ADDON_ID } from '../../../shared/src/protocol/identity.ts';
import { MAX_FRAME_BYTES, MAX_RANKS, type ExtensionMessage } from '../../../shared/src/protocol/native.ts';
import { encodeFrame } from '../../../shared/src/protocol/framing.ts';
import type { HelperClient } from '../testing/helperClient.ts';
import { startHelper } from '../testing/startHelper.ts';
import { encodeMessage } from './messageCodec.ts';

/** Hostile and friendly cases against the real process. */

const running: HelperClient[] = [];

function start(...args: Parameters<typeof startHelper>): HelperClient {
  const client = startHelper(...args);
  running.push(client);
  return client;
}

afterEach(() => {
  for (const client of running.splice(0)) client.kill();
});

const ping = (id: number): ExtensionMessage => ({ v: 1, id, type: 'ping', payload: {} });

function ranksOf(count: number, urlChars = 30): ExtensionMessage {
  const images = Array.from({ length: count }, (_, order) => ({ url: `https://secret.example/?q=${order}`.padEnd(urlChars, 'x'), rankClass: 0 as const, order, pixels: null }));
  return { v: 1, id: 5, type: 'ranks', payload: { images } };
}

const refused = (code: ErrorCode, id = 0) => ({ type: 'error', id, payload: { code } });

describe('the helper process', () => {
  it('greets, answers and ends with its input, status 0', async () => {
    const client = start();
    expect(await client.hello()).toMatchObject({ payload: { protocol: 1, capabilities: expect.arrayContaining(['memory', 'proxy', 'ranks']) as string[] } });
    expect(await client.ask(ping(4))).toEqual({ v: 1, id: 4, type: 'pong', payload: {} });
    expect(await client.close()).toEqual({ status: 0, signal: null });
  });

  it('knows of no driver where there is none', async () => {
    const client = start(undefined, { FIRSTSCREEN_DRIVER_SOCKET: '/nonexistent/driver.sock' });
    await client.hello();
    expect(await client.ask({ v: 1, id: 4, type: 'driver', payload: {} })).toMatchObject({ v: 1, id: 4, type: 'driverReport', payload: { state: 'absent' } });
  });

  it('knows Firefox by its arguments', async () => {
    await start(['/home/u/.mozilla/native-messaging-hosts/org.firstscreen.helper.json', FIREFOX_ADDON_ID]).hello();
  });

  it.each([[[]], [['chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh/']], [['/manifest.json', 'other@addon']]])('refuses the caller %j and ends with status 1', async (args) => {
    const client = start(args);
    expect(await client.receive()).toMatchObject(refused('E_CALLER'));
    expect(await client.exited).toEqual({ status: 1, signal: null });
  });

  it('refuses a message before hello, then takes hello', async () => {
    const client = start();
    expect(await client.ask(ping(3))).toMatchObject(refused('E_MESSAGE_ORDER', 3));
    await client.hello();
  });

  it('refuses another version', async () => {
    const client = start();
    await client.write(encodeMessage({ ...ping(3), v: 2 }));
    expect(await client.receive()).toMatchObject(refused('E_PROTOCOL_VERSION', 3));
  });

  it.each([
    ['text that is no JSON', Buffer.from('{"v":1,')],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x00])],
    ['nothing', Buffer.alloc(0)],
  ])('refuses %s and goes on', async (_case, body) => {
    const client = start();
    await client.write(encodeFrame(body, MAX_FRAME_BYTES));
    expect(await client.receive()).toMatchObject(refused('E_MESSAGE_JSON'));
    await client.hello();
  });

  it('survives JSON as deep as a frame allows', async () => {
    const client = start();
    const depth = MAX_FRAME_BYTES / 2 - 100;
    await client.write(encodeFrame(Buffer.from('['.repeat(depth) + ']'.repeat(depth)), MAX_FRAME_BYTES));
    expect(await client.receive()).toMatchObject(refused('E_MESSAGE_TYPE'));
    await client.hello();
  });

  it('can not follow a length that no browser sends, and ends with status 1', async () => {
    const client = start();
    await client.hello();
    await client.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    expect(await client.receive()).toMatchObject(refused('E_FRAME_TOO_LARGE'));
    expect(await client.exited).toEqual({ status: 1, signal: null });
  });

  it('says so when its input ends inside a frame, and ends with status 1', async () => {
    const client = start();
    await client.write(encodeMessage(ping(1)).subarray(0, 9));
    const exit = client.close();
    expect(await exit).toEqual({ status: 1, signal: null });
    expect(client.log).toContain('E_FRAME_TRUNCATED');
  });

  it('takes as many ranks as a message may hold without an answer, and refuses one more', async () => {
    const client = start();
    await client.hello();
    await client.write(encodeMessage(ranksOf(MAX_RANKS)));
    expect(await client.ask(ping(4))).toMatchObject({ type: 'pong' });
    expect(await client.ask(ranksOf(MAX_RANKS + 1))).toMatchObject(refused('E_MESSAGE_SCHEMA', 5));
    expect(await client.ask(ranksOf(1, 8193))).toMatchObject(refused('E_MESSAGE_SCHEMA', 5));
  });

  it('refuses one frame over the limit (130 images with URLs of 8 kB), and goes on', async () => {
    const client = start();
    await client.hello();
    await client.write(encodeFrame(Buffer.from(JSON.stringify(ranksOf(130, 8192))), 2 * MAX_FRAME_BYTES));
    expect(await client.receive()).toMatchObject(refused('E_FRAME_TOO_LARGE'));
    expect(await client.ask(ping(4))).toMatchObject({ type: 'pong' });
  });

  it('logs JSON lines without a URL of the page', async () => {
    const client = start(undefined, { FIRSTSCREEN_LOG: 'debug' });
    await client.hello();
    await client.write(encodeMessage(ranksOf(3)));
    await client.ask(ping(3));
    await client.write(encodeMessage({ ...ranksOf(1), 'https://secret.example/?q=1': 1 }));
    await client.receive();
    await client.close();
    const entries = client.log.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries.map(({ message }) => message)).toEqual(expect.arrayContaining(['started', 'answered', 'refused', 'ended']));
    expect(entries.every(({ level, scope }) => typeof level === 'string' && (scope === 'host' || scope === 'driver'))).toBe(true);
    expect(client.log).not.toContain('secret');
  });

  it('keeps stray output of its own code away from the protocol, and logs it', async () => {
    const stray = 'const { parse } = JSON; JSON.parse = (text) => { console.log("stray?q=1"); return parse(text); };';
    const client = start(undefined, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(stray)}` });
    await client.hello();
    expect(await client.ask(ping(1))).toMatchObject({ type: 'pong' });
    await client.close();
    expect(client.log).toContain('"scope":"stdout","message":"stray?…"');
  });

  it('ends quietly when the browser goes without reading its answers', async () => {
    const client = start();
    await client.hello();
    client.dropOutput();
    await client.write(encodeMessage(ping(1)));
    expect((await client.close()).status).toBe(0);
  });
});

describe.runIf(process.platform === 'linux')('a browser that sends and never reads', () => {
  it('is held back: the helper stops reading and its memory stays bounded', async () => {
    const client = start();
    await client.hello();
    const beforeBytes = residentBytes(client);
    // smallest question with the longest answer: each empty frame is refused in some 200 bytes
    const flood = Buffer.alloc(4 * 16_384);
    let sentBytes = 0;
    let isTaking = true;
    while (isTaking && sentBytes < FLOOD_LIMIT_BYTES) {
      isTaking = await Promise.race([client.write(flood).then(() => true), sleep(HELD_BACK_MS, false)]);
      sentBytes += flood.length;
    }
    expect(isTaking).toBe(false);
    expect(sentBytes).toBeLessThan(FLOOD_LIMIT_BYTES);
    expect(residentBytes(client) - beforeBytes).toBeLessThan(MEMORY_LIMIT_BYTES);
    // once it is read again, all is answered
    for (let answers = 0; answers < 1000; answers += 1) expect(await client.receive()).toMatchObject(refused('E_MESSAGE_JSON'));
  });
});

const FLOOD_LIMIT_BYTES = 64 << 20;
/** Without a read for this long the pipe is taken for full. */
const HELD_BACK_MS = 2000;
const MEMORY_LIMIT_BYTES = 64 << 20;
const PAGE_BYTES = 4096;

function residentBytes(client: HelperClient): number {
  return Number(readFileSync(`/proc/${client.pid ?? 0}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
}
