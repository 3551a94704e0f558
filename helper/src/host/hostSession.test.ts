import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FirstscreenError, type ErrorCode } from '../../../shared/src/errors.ts';
import { CHROMIUM_EXTENSION_ORIGIN } from '../../../shared/src/protocol/identity.ts';
import { encodeFrame } from '../../../shared/src/protocol/framing.ts';
import { MAX_FRAME_BYTES, parseHelperMessage } from '../../../shared/src/protocol/native.ts';
import type { Visit } from '../../../shared/src/memory/neededObject.ts';
import type { Knowledge } from './answer.ts';
import { HostSession, type SessionCommand } from './hostSession.ts';
import { SILENT_DRIVER } from '../../../shared/src/protocol/driverReportSchema.ts';
import { encodeMessage } from './messageCodec.ts';

const hello = { v: 1, id: 1, type: 'hello', payload: { protocols: [1], extensionVersion: '1', browser: 'chromium', capabilities: [] } };
const ping = { v: 1, id: 2, type: 'ping', payload: {} };
const SECRET_URL = 'https://secret.example/path?token=1';
const ranks = { v: 1, id: 0, type: 'ranks', payload: { images: [{ url: SECRET_URL, rankClass: 0, order: 0, pixels: null }] } };
const visited = { v: 1, id: 3, type: 'visited', payload: { url: SECRET_URL, asked: SECRET_URL, objects: [], origins: [] } };

const NO_PROXY: Knowledge['proxy'] = {
  start: () => Promise.reject(new FirstscreenError('E_PROXY_IN_USE', 'there is another', 'nothing')),
  hasRelay: false,
  navigating: () => undefined,
  asking: () => undefined,
  pointed: () => undefined,
  intercept: () => Promise.resolve(),
  upgraded: () => undefined,
  tunnelOnly: () => undefined,
  closeConnections: () => Promise.resolve(7),
  saveData: () => undefined,
  isCutOff: () => false,
  remembered: () => undefined,
  forgotten: () => undefined,
  withObserved: (visit) => ({ ...visit, objects: [], document: { bytes: 9, setsCookies: true, referrerPolicy: null }, addresses: [] }),
};

const MEMORY: Knowledge['memory'] = { known: () => ({ objects: [], origins: [] }), visited: () => undefined, sites: () => ({ sites: [], more: 0 }), forget: () => 0, forgetPages: () => 0 };

type Visited = (visit: Visit) => void;

function sessionWith(proxy = NO_PROXY, remember: Visited = () => undefined, told: Partial<Knowledge> = {}): HostSession {
  const unheard = { ranks: { ranked: () => undefined }, questions: { answered: () => undefined }, news: { want: () => undefined }, networks: { wasFast: () => false, judged: () => undefined }, mayLearn: () => true };
  return new HostSession({ proxy, ...unheard, driver: { report: () => Promise.resolve(SILENT_DRIVER) }, memory: { ...MEMORY, visited: remember }, ...told });
}

/** What the session wants after these frames, logs left out. */
function play(frames: readonly (object | string)[], remember?: Visited, proxy = NO_PROXY): { said: SessionCommand[]; logged: SessionCommand[] } {
  const session = sessionWith(proxy, remember);
  const commands = frames.flatMap((frame) => [...session.received(typeof frame === 'string' ? encodeFrame(Buffer.from(frame), MAX_FRAME_BYTES) : encodeMessage(frame))]);
  return { said: commands.filter(({ type }) => type !== 'log'), logged: commands.filter(({ type }) => type === 'log') };
}

function sent(type: string, id: number, payload: object = {}): unknown {
  return { type: 'send', message: expect.objectContaining({ v: 1, id, type, payload: expect.objectContaining(payload) as unknown }) as unknown };
}

const refused = (code: ErrorCode, id = 0) => sent('error', id, { code });

describe('HostSession', () => {
  it('hears of images that are about to be asked for where there is a relay', () => {
    const heard: (readonly string[])[] = [];
    const { said } = play([hello, { v: 1, id: 0, type: 'asking', payload: { images: [SECRET_URL] } }], undefined, { ...NO_PROXY, hasRelay: true, asking: (images) => void heard.push(images) });
    expect(said).toEqual([sent('welcome', 1, { capabilities: expect.arrayContaining(['asking']) as unknown })]);
    expect(heard).toEqual([[SECRET_URL]]);
  });

  it('answers hello and ping', () => {
    expect(play([hello, ping]).said).toEqual([
      sent('welcome', 1, { protocol: 1, capabilities: ['closeConnections', 'memory', 'memoryList', 'nextPage', 'proxy', 'ranks', 'record', 'saveData', 'tunnelOnly', ...(process.platform === 'linux' ? ['driver', 'networks'] : [])] }),
      sent('pong', 2),
    ]);
  });

  it('hears whether the way of requests is wanted, and answers nothing', () => {
    const wanted: boolean[] = [];
    const session = sessionWith(NO_PROXY, undefined, { news: { want: (isWanted) => wanted.push(isWanted) } });
    const record = (isWanted: boolean): object => ({ v: 1, id: 0, type: 'record', payload: { isWanted } });
    const commands = [hello, record(true), record(false)].flatMap((message) => [...session.received(encodeMessage(message))]);
    expect(wanted).toEqual([true, false]);
    expect(commands.filter(({ type }) => type === 'send')).toHaveLength(1);
  });

  it('says what is known of the network, and takes what a page has shown of it without an answer', () => {
    const verdicts: string[] = [];
    const session = sessionWith(NO_PROXY, undefined, { networks: { wasFast: () => true, judged: (verdict) => verdicts.push(verdict) } });
    const said = [hello, { v: 1, id: 6, type: 'network', payload: {} }, { v: 1, id: 0, type: 'judged', payload: { verdict: 'slow' } }].flatMap((message) => [...session.received(encodeMessage(message))]).filter(({ type }) => type === 'send');
    expect([said, verdicts]).toEqual([[sent('welcome', 1), sent('knownNetwork', 6, { wasFast: true })], ['slow']]);
  });

  describe('proxy', () => {
    const ask = { v: 1, id: 4, type: 'proxy', payload: { mayRemember: false, profile: 'p' } };

    async function later(proxy: Knowledge['proxy']): Promise<unknown> {
      const session = sessionWith(proxy);
      const commands = [hello, ask].flatMap((message) => [...session.received(encodeMessage(message))]);
      const command = commands.find(({ type }) => type === 'sendLater');
      return command?.type === 'sendLater' ? command.message : undefined;
    }

    it('is told when it is there', async () => {
      const settings = { port: 4000, username: 'u', password: 'p', ownHost: 'x.invalid', canIntercept: true };
      expect(await later({ ...NO_PROXY, start: () => Promise.resolve(settings) })).toEqual({ v: 1, id: 4, type: 'proxied', payload: settings });
    });

    it.each([
      ['a refusal', () => NO_PROXY.start({ mayRemember: false, profile: 'p' }), 'E_PROXY_IN_USE'],
      ['a defect', () => Promise.reject(new Error('https://secret.example/')), 'E_INTERNAL'],
      ['an answer that does not fit', () => Promise.resolve({ port: 0, username: '', password: '', ownHost: '', canIntercept: false }), 'E_INTERNAL'],
    ])('answers %s with its code', async (_, start, code) => {
      const answer = await later({ ...NO_PROXY, start });
      expect(answer).toMatchObject({ id: 4, type: 'error', payload: { code } });
      expect(JSON.stringify(answer)).not.toContain('secret');
    });

    it('intercepts when it is told that it may', () => {
      let told = 0;
      const session = sessionWith({ ...NO_PROXY, intercept: () => Promise.resolve(void (told += 1)) });
      const commands = [hello, { v: 1, id: 5, type: 'intercept', payload: {} }].flatMap((message) => [...session.received(encodeMessage(message))]);
      expect(commands.some(({ type }) => type === 'sendLater')).toBe(true);
      expect(told).toBe(1);
    });

    it('is told of a page that is asked for', () => {
      const pages: string[] = [];
      const session = sessionWith({ ...NO_PROXY, navigating: (url) => pages.push(url) });
      const said = [hello, { v: 1, id: 6, type: 'navigating', payload: { url: SECRET_URL } }].flatMap((message) => [...session.received(encodeMessage(message))]).filter(({ type }) => type === 'send');
      expect(said).toEqual([sent('welcome', 1)]);
      expect(pages).toEqual([SECRET_URL]);
    });

    it('is told of a link that the pointer is on, without an answer', () => {
      const links: unknown[] = [];
      const session = sessionWith({ ...NO_PROXY, pointed: (link) => links.push(link) });
      const payload = { page: SECRET_URL, url: SECRET_URL, isLikely: true, referrerPolicy: 'origin' };
      const said = [hello, { v: 1, id: 6, type: 'pointed', payload }].flatMap((message) => [...session.received(encodeMessage(message))]).filter(({ type }) => type === 'send');
      expect([said, links]).toEqual([[sent('welcome', 1)], [payload]]);
    });

    it('takes hosts that are upgraded without an answer', () => {
      const upgraded: string[] = [];
      const session = sessionWith({ ...NO_PROXY, upgraded: (hosts) => upgraded.push(...hosts) });
      const said = [hello, { v: 1, id: 6, type: 'upgraded', payload: { hosts: ['a.test'] } }].flatMap((message) => [...session.received(encodeMessage(message))]).filter(({ type }) => type === 'send');
      expect([said, upgraded]).toEqual([[sent('welcome', 1)], ['a.test']]);
    });

    it('knows the ranks, and takes them and what is left without an answer', () => {
      const ranked: unknown[] = [];
      const left: unknown[] = [];
      const session = sessionWith(NO_PROXY, undefined, { ranks: { ranked: (images) => ranked.push(...images) }, questions: { answered: (id, done) => left.push([id, done]) } });
      const said = [hello, ranks, { v: 1, id: 1, type: 'left', payload: { done: true } }].flatMap((message) => [...session.received(encodeMessage(message))]).filter(({ type }) => type === 'send');
      expect(said).toEqual([sent('welcome', 1)]);
      expect(ranked).toEqual(ranks.payload.images);
      expect(left).toEqual([[1, true]]);
    });
  });

  it('tells of the driver when it knows', async () => {
    const session = sessionWith();
    const commands = [hello, { v: 1, id: 4, type: 'driver', payload: {} }].flatMap((message) => [...session.received(encodeMessage(message))]);
    const command = commands.find(({ type }) => type === 'sendLater');
    expect(command?.type === 'sendLater' && (await command.message)).toEqual({ v: 1, id: 4, type: 'driverReport', payload: SILENT_DRIVER });
  });

  it('remembers what a page needed', () => {
    const payload = { url: 'https://a.test/', asked: 'https://www.a.test/', objects: [{ url: 'https://a.test/s.css', kind: 'style' }], origins: ['https://a.test'] };
    const told: Visit[] = [];
    expect(play([hello, { v: 1, id: 5, type: 'visited', payload }], (visit) => told.push(visit)).said.slice(1)).toEqual([]);
    expect(told).toEqual([{ ...payload, objects: [], document: { bytes: 9, setsCookies: true, referrerPolicy: null }, addresses: [] }]);
  });

  it('remembers nothing of a page whose document was broken off', () => {
    const told: Visit[] = [];
    const session = sessionWith({ ...NO_PROXY, isCutOff: (url) => url === SECRET_URL }, (visit) => told.push(visit));
    for (const message of [hello, visited, { ...visited, payload: { ...visited.payload, url: 'https://a.test/' } }]) Array.from(session.received(encodeMessage(message)));
    expect(told.map(({ url }) => url)).toEqual(['https://a.test/']);
  });

  it('learns nothing any more when the helper was uninstalled under it', () => {
    const told: unknown[] = [];
    const session = sessionWith({ ...NO_PROXY, remembered: (visit) => told.push(visit) }, (visit) => told.push(visit), { networks: { wasFast: () => true, judged: (verdict) => told.push(verdict) }, mayLearn: () => false });
    for (const message of [hello, visited, { v: 1, id: 0, type: 'judged', payload: { verdict: 'fast' } }]) Array.from(session.received(encodeMessage(message)));
    expect(told).toEqual([]);
  });

  describe('what is remembered', () => {
    const sites = { sites: [{ site: 'a.test', pages: 2, lastDay: 20_700 }], more: 3 };
    /** What is said to a question, and what was asked of the memory. */
    function ask(type: string, payload: object, memory: Partial<Knowledge['memory']> = {}): { said: unknown; erased: unknown[] } {
      const erased: unknown[] = [];
      const forget = (what: unknown): number => {
        erased.push(what);
        return 7;
      };
      const session = sessionWith(NO_PROXY, undefined, { memory: { ...MEMORY, sites: () => sites, forget, forgetPages: forget, ...memory } });
      const commands = [hello, { v: 1, id: 5, type, payload }].flatMap((message) => [...session.received(encodeMessage(message))]);
      return { said: commands.filter(({ type: kind }) => kind === 'send').at(-1), erased };
    }

    it('is told, by site', () => expect(ask('remembered', {}).said).toEqual(sent('rememberedSites', 5, sites)));

    it.each<[string, object, unknown]>([
      ['forget', { site: 'a.test' }, 'a.test'],
      ['forget', { site: null }, null],
      ['historyRemoved', { urls: ['https://a.test/'] }, ['https://a.test/']],
      ['historyRemoved', { urls: null }, null],
    ])('is erased by %s %j', (type, payload, expected) => expect(ask(type, payload)).toEqual({ said: sent('forgotten', 5, { pages: 7 }), erased: [expected] }));

    it.each<[string, object]>([
      ['forget', { site: 'a.test', url: SECRET_URL }],
      ['forget', { site: SECRET_URL }],
      ['historyRemoved', { urls: [SECRET_URL, 1] }],
    ])('is left as it is by a bad %s', (type, payload) => {
      const { said, erased } = ask(type, payload);
      expect([said, erased]).toEqual([refused('E_MESSAGE_SCHEMA', 5), []]);
      expect(JSON.stringify(said)).not.toContain('secret');
    });

    it.each<[string, object]>([['remembered', {}], ['forget', { site: null }], ['historyRemoved', { urls: [SECRET_URL] }]])('%s is answered with a code where the file is in the way', (type, payload) => {
      const fail = (): never => {
        throw new FirstscreenError('E_MEMORY', 'What was learnt of pages could not be erased (EACCES).', 'Check who owns it.');
      };
      expect(ask(type, payload, { sites: fail, forget: fail, forgetPages: fail }).said).toEqual(refused('E_MEMORY', 5));
    });
  });

  it('closes connections for a page that is to load as on a first visit, and says when that is done', async () => {
    const closed: string[] = [];
    const session = sessionWith({ ...NO_PROXY, closeConnections: (origin) => Promise.resolve(closed.push(origin)) });
    const close = (origin: string): object => ({ v: 1, id: 6, type: 'closeConnections', payload: { origin } });
    const commands = [hello, close('https://a.test'), close(SECRET_URL)].flatMap((message) => [...session.received(encodeMessage(message))]);
    expect(closed).toEqual(['https://a.test']);
    const said = await Promise.all(commands.flatMap((command) => (command.type === 'sendLater' ? [command.message] : [])));
    expect(said).toEqual([expect.objectContaining({ id: 6, type: 'connectionsClosed', payload: { port: 1 } })]);
    expect(commands.filter(({ type }) => type === 'send').slice(1)).toEqual([refused('E_MESSAGE_SCHEMA', 6)]);
  });

  describe('hosts that are kept closed', () => {
    function told(payload: object): unknown[] {
      const hosts: unknown[] = [];
      const session = sessionWith({ ...NO_PROXY, tunnelOnly: (all) => hosts.push([...all]) });
      const said = [hello, { v: 1, id: 0, type: 'tunnelOnly', payload }].flatMap((message) => [...session.received(encodeMessage(message))]).filter(({ type }) => type === 'send');
      return [...hosts, ...said.slice(1)];
    }

    it('are taken without an answer', () => expect(told({ hosts: ['a.test', 'b.test'] })).toEqual([['a.test', 'b.test']]));

    it.each([{ hosts: ['a.test', 'https://b.test/'] }, { hosts: 'a.test' }, {}])('stay as they were after %j', (payload) => expect(told(payload)).toEqual([refused('E_MESSAGE_SCHEMA')]));
  });

  it('hears which pages save data, and answers nothing', () => {
    const heard: unknown[] = [];
    const payload = { inGeneral: true, on: ['a.test'], off: [] };
    const session = sessionWith({ ...NO_PROXY, saveData: (pages) => heard.push(pages) });
    const said = [hello, { v: 1, id: 0, type: 'saveData', payload }].flatMap((message) => [...session.received(encodeMessage(message))]).filter(({ type }) => type === 'send');
    expect([heard, said.length]).toEqual([[payload], 1]);
  });

  it.each<[string, readonly (object | string)[], unknown]>([
    ['a message before hello', [ping], refused('E_MESSAGE_ORDER', 2)],
    ['a second hello', [hello, { ...hello, id: 9 }], refused('E_MESSAGE_ORDER', 9)],
    ['hello without our protocol', [{ ...hello, payload: { ...hello.payload, protocols: [2, 3] } }], refused('E_PROTOCOL_VERSION', 1)],
    ['an envelope of another version', [hello, { ...ping, v: 2 }], refused('E_PROTOCOL_VERSION', 2)],
    ['an unknown type', [hello, { ...ping, type: 'pang' }], refused('E_MESSAGE_TYPE', 2)],
    ['a wrong payload', [hello, { ...ping, payload: null }], refused('E_MESSAGE_SCHEMA', 2)],
    ['no JSON', ['{'], refused('E_MESSAGE_JSON')],
    ['an empty frame', [''], refused('E_MESSAGE_JSON')],
    ['deep JSON', ['['.repeat(500_000) + ']'.repeat(500_000)], refused('E_MESSAGE_TYPE')],
    ['a deep payload', [hello, `{"v":1,"id":4,"type":"ping","payload":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`], refused('E_MESSAGE_SCHEMA', 4)],
  ])('refuses %s, and goes on', (_case, frames, refusal) => {
    const { said } = play([...frames, ping]);
    expect(said).toContainEqual(refusal);
    expect(said).toHaveLength(frames.length + 1);
    expect(said.every(({ type }) => type === 'send')).toBe(true);
  });

  it('lets hello be tried again after it was refused', () => {
    expect(play([{ ...hello, payload: { ...hello.payload, protocols: [2] } }, hello]).said).toEqual([refused('E_PROTOCOL_VERSION', 1), sent('welcome', 1)]);
  });

  it('refuses one frame that is too large, and answers what comes before and after it', () => {
    const large = encodeFrame(new Uint8Array(MAX_FRAME_BYTES + 1), MAX_FRAME_BYTES + 1);
    const session = sessionWith();
    const said = [encodeMessage(hello), large.subarray(0, 9), large.subarray(9), encodeMessage(ping)].flatMap((chunk) => [...session.received(chunk)]).filter(({ type }) => type !== 'log');
    expect(said).toEqual([sent('welcome', 1), refused('E_FRAME_TOO_LARGE'), sent('pong', 2)]);
    expect([...session.ended()]).toEqual([{ type: 'close', status: 0 }]);
  });

  it('ends well at the end of input, and badly in the middle of a frame', () => {
    expect([...sessionWith().ended()]).toEqual([{ type: 'close', status: 0 }]);
    const session = sessionWith();
    const commands = [...session.received(encodeMessage(ping).subarray(0, 9)), ...session.ended()];
    expect(commands.filter(({ type }) => type !== 'log')).toEqual([refused('E_FRAME_TRUNCATED'), { type: 'close', status: 1 }]);
  });

  it('closes for a caller that it does not know, and lets ours in', () => {
    const session = sessionWith();
    expect([...session.started(['chrome-extension://other/'])].filter(({ type }) => type !== 'log')).toEqual([refused('E_CALLER'), { type: 'close', status: 1 }]);
    expect([...session.received(encodeMessage(hello))]).toEqual([]);
    expect([...sessionWith().started([CHROMIUM_EXTENSION_ORIGIN])].map(({ type }) => type)).toEqual(['log']);
  });

  it('answers its own defects with a code, and tells nothing of what it was working on', () => {
    const broken: Visited = ({ url }) => {
      throw new RangeError(`no place for ${url}`);
    };
    const { said, logged } = play([hello, visited], broken);
    expect(said).toContainEqual(refused('E_INTERNAL', 3));
    expect(JSON.stringify([said, logged])).not.toContain('secret');
  });

  it('never tells a URL, whatever is refused', () => {
    const hostile = [ranks, visited, { ...ranks, [SECRET_URL]: 1 }, { ...ranks, type: SECRET_URL }, { ...ranks, v: SECRET_URL }, { ...ranks, id: SECRET_URL }, `{"url": "${SECRET_URL}`, JSON.stringify(SECRET_URL)];
    expect(JSON.stringify(play([...hostile, hello, ...hostile]))).not.toContain('secret');
  });

  it('answers every frame that wants an answer with exactly one valid message, whatever is in it', () => {
    const junk = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
      fc.constantFrom(hello, ping, { ...visited, payload: {} }).map((message) => Buffer.from(JSON.stringify(message))),
      fc.record({ v: fc.constant(1), id: fc.nat(), type: fc.constantFrom('hello', 'visited', 'ping'), payload: fc.jsonValue() }).map((value) => Buffer.from(JSON.stringify(value))),
    );
    fc.assert(
      fc.property(fc.array(junk, { maxLength: 10 }), (bodies) => {
        const session = sessionWith();
        const commands = bodies.flatMap((body) => [...session.received(encodeFrame(body, MAX_FRAME_BYTES))]);
        const messages = commands.flatMap((command) => (command.type === 'send' ? [parseHelperMessage(command.message)] : []));
        expect(messages).toHaveLength(bodies.length);
        expect([...session.ended()]).toEqual([{ type: 'close', status: 0 }]);
      }),
    );
  });

  it('throws nothing, whatever bytes come in whatever pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 100 })), (pieces) => {
        const session = sessionWith();
        const commands = [...pieces.flatMap((piece) => [...session.received(piece)]), ...session.ended()];
        expect(commands.filter(({ type }) => type === 'close')).toHaveLength(1);
      }),
    );
  });
});

it('keeps coded errors apart from defects', () => {
  const coded: Visited = () => {
    throw new FirstscreenError('E_MEMORY', 'The memory is busy.', 'Try again.');
  };
  expect(play([hello, visited], coded).said).toContainEqual(refused('E_MEMORY', 3));
});
