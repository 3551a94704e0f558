import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { ALL_PARTS } from '../parts.ts';
import { RawServer } from '../testing/rawServer.ts';
import { TestProxy, type Answer } from '../testing/testProxy.ts';
import { NEVER_MS, TestRelay, type RelayBehaviour } from '../testing/testRelay.ts';
import { requestTo, sinkOf } from '../testing/testUpstream.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const HALF = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nha';
const WHOLE = `${HALF}lf`;
/** Of a page, on as many connections as a server gets. */
const OBJECTS = 12;

let relay: TestRelay;
let proxy: TestProxy;
let server: RawServer;
afterEach(async () => {
  await proxy.close();
  await relay.close();
  await server.close();
});

async function start(onRequest: Parameters<typeof RawServer.start>[0], behaviour: RelayBehaviour = {}): Promise<void> {
  server = await RawServer.start(onRequest);
  relay = await TestRelay.start(behaviour);
  proxy = await TestProxy.start(ALL_PARTS, relay.config);
}

const urlOf = (host: string, path = '/'): string => `http://${host}:${server.port}${path}`;
const countOf = (request: string): number => server.received.join('').split(`${request} HTTP/1.1`).length - 1;

async function connectTo(host: string): Promise<{ readonly said: () => string; readonly socket: ReturnType<TestProxy['socket']> }> {
  const socket = proxy.socket();
  let said = '';
  socket.on('data', (chunk) => (said += chunk.toString('latin1')));
  socket.write(`CONNECT ${host}:${server.port} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n`);
  await expect.poll(() => said !== '' || socket.destroyed).toBe(true);
  return { said: () => said, socket };
}

describe('with a relay', () => {
  it('requests go through it, and their names are not looked up here', async () => {
    await start((socket) => socket.write(OK));
    expect(String((await proxy.request(urlOf('a.test'))).body)).toBe('ok');
    expect(relay.asked[0]).toMatch(/^a\.test:/);
    expect(proxy.lookedUp).toEqual([]);
  });

  it('tunnels go through it, answered before it has answered, and their names are not looked up here', async () => {
    await start(() => undefined, { delayMs: NEVER_MS });
    const { said, socket } = await connectTo('a.test');
    expect(said()).toMatch(/^HTTP\/1\.1 200 /);
    await expect.poll(() => relay.asked).toEqual([`a.test:${server.port} 2`]);
    expect(proxy.lookedUp).toEqual([]);
    socket.destroy();
  });

  it('a WebSocket goes through it, and both sides speak when they want', async () => {
    await start((socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      socket.on('data', (chunk) => socket.write(chunk));
    });
    const { said, socket } = await connectTo('a.test');
    socket.write('GET /ws HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await expect.poll(said).toMatch(/ 101 /);
    for (const frame of ['one', 'two']) {
      socket.write(frame);
      await expect.poll(said).toMatch(new RegExp(`${frame}$`));
    }
    expect([relay.asked.length, proxy.lookedUp]).toEqual([1, []]);
    socket.destroy();
  });

  it.each(['nas.local', 'printer', 'db.internal', '127.0.0.1'])('%s goes directly', async (host) => {
    await start((socket) => socket.write(OK));
    expect(String((await proxy.request(urlOf(host))).body)).toBe('ok');
    expect(relay.asked).toEqual([]);
  });

  it('what it refuses goes directly, and is not asked for again', async () => {
    await start((socket) => socket.write(OK), { refuses: { 'a.test': 'E_CONNECT' } });
    expect(String((await proxy.request(urlOf('a.test'))).body)).toBe('ok');
    const asked = relay.asked.length;
    const { said, socket } = await connectTo('a.test');
    expect(said()).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
    expect([relay.asked.length, new Set(proxy.lookedUp)]).toEqual([asked, new Set(['a.test'])]);
  });

  it('a host that is private here and unknown there is left to the browser: a request at once, a tunnel the next time', async () => {
    await start((socket) => socket.write(OK), { refuses: { 'device.test': 'E_NAME' } });
    const { socket } = await connectTo('device.test');
    if (!socket.destroyed) await once(socket, 'close');
    await expect.poll(() => proxy.left).toEqual(['device.test']);
    expect((await proxy.request(urlOf('device.test'))).status).toBe(307);
  });

  it('a connection is as urgent as the most urgent of its requests', async () => {
    await start(() => undefined);
    const fetch = proxy.upstream.fetch(requestTo(`http://a.test:${server.port}`, { fetchClass: FetchClass.offScreen, isForeseen: true }), sinkOf());
    const levels = (): unknown => relay.said.map((line) => (JSON.parse(line) as { ranks: { level: number }[] }).ranks.map(({ level }) => level));
    await expect.poll(levels).toEqual([[7]]);
    fetch.rank(FetchClass.layout);
    await expect.poll(levels).toEqual([[7], [1]]);
    fetch.await(FetchClass.layout, null);
    await expect.poll(levels).toEqual([[7], [1], [0]]);
    fetch.cancel();
  });
});

describe.each<[string, (relay: TestRelay) => unknown]>([
  ['killed', (broken) => broken.kill()],
  ['dead without a word', (broken) => broken.goDead()],
])('when the relay is %s in mid-page', (_case, breakIt) => {
  /** Objects are answered when they come directly alone, the first of them halfway. */
  async function page(): Promise<{ readonly answers: Promise<readonly (Answer | null)[]>; readonly post: Promise<Answer | null> }> {
    let isBroken = false;
    await start((socket, header) => {
      if (header.includes(' /half ')) socket.write(isBroken ? WHOLE : HALF);
      else if (isBroken && header.startsWith('GET')) socket.write(OK);
    });
    const got = (path: string): Promise<Answer | null> => proxy.request(urlOf(`${path.length % 3}.test`, path)).catch(() => null);
    const paths = Array.from({ length: OBJECTS }, (_, place) => `/${'o'.repeat(place + 1)}`);
    const answers = Promise.all(['/half', ...paths].map(got));
    const post = proxy.request(urlOf('post.test'), { method: 'POST', headers: { 'content-length': '1' }, body: Buffer.from('x') }).catch(() => null);
    await expect.poll(() => countOf('POST /')).toBe(1);
    await expect.poll(() => server.received.join('').includes('/half')).toBe(true);
    isBroken = true;
    await breakIt(relay);
    return { answers, post };
  }

  it('what had nothing of its answer comes directly, what had a part goes on, and POST is told of, not made again', async () => {
    const { answers, post } = await page();
    const [half, ...others] = await answers;
    expect([half?.isCut, String(half?.body)]).toEqual([false, 'half']);
    expect(others.map((answer) => String(answer?.body))).toEqual(others.map(() => 'ok'));
    const posted = await post;
    expect(posted === null || posted.status === 502).toBe(true);
    expect(countOf('POST /')).toBe(1);
  }, 30_000);

  it('the next page comes directly', async () => {
    const { answers, post } = await page();
    expect(String((await proxy.request(urlOf('new.test'))).body)).toBe('ok');
    await Promise.all([answers, post]);
  }, 30_000);
});

it('a relay that goes dead in the middle of the only answer is noticed, too', async () => {
  let asked = 0;
  await start((socket) => socket.write((asked += 1) === 1 ? HALF : WHOLE));
  const answer = proxy.request(urlOf('a.test'));
  await expect.poll(() => server.received.join('')).toContain('GET /');
  await sleep(100);
  relay.goDead();
  expect(String((await answer).body)).toBe('half');
});

it('a slow relay costs time alone', async () => {
  await start((socket) => socket.write(OK), { delayMs: 400 });
  const answers = await Promise.all(Array.from({ length: OBJECTS }, (_, place) => proxy.request(urlOf(`h${place % 4}.test`, `/${place}`))));
  expect(answers.map(({ body }) => String(body))).toEqual(answers.map(() => 'ok'));
  expect(proxy.lookedUp).toEqual([]);
});
