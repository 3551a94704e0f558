import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_FRAME_BYTES } from '../../../shared/src/protocol/native.ts';
import { HelperLink } from './helperLink.ts';

type Message = Record<string, unknown>;

/** A native port as the browser gives it: to disconnect it raises no event at our end. */
class FakePort {
  readonly sent: Message[] = [];
  isOpen = true;
  private receive: (message: unknown) => void = () => undefined;
  private closed: () => void = () => undefined;
  readonly onMessage = { addListener: (listener: FakePort['receive']) => (this.receive = listener) };
  readonly onDisconnect = { addListener: (listener: FakePort['closed']) => (this.closed = listener) };

  postMessage(message: Message): void {
    this.sent.push(message);
  }

  disconnect(): void {
    this.isOpen = false;
  }

  say(message: unknown): void {
    this.receive(message);
  }

  end(): void {
    this.isOpen = false;
    this.closed();
  }
}

describe('HelperLink', () => {
  let ports: FakePort[];
  let link: HelperLink;
  let requests: unknown[];
  let networks: number;

  beforeEach(() => {
    vi.useFakeTimers();
    [ports, requests, networks] = [[], [], 0];
    vi.stubGlobal('chrome', {
      runtime: {
        getManifest: () => ({ version: '1.0.0' }),
        connectNative: () => {
          const port = new FakePort();
          ports.push(port);
          return port;
        },
      },
    });
    vi.spyOn(console, 'info').mockImplementation(() => undefined);
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    link = new HelperLink({ changed: () => undefined, leave: () => Promise.resolve(true), link: () => undefined, networkChanged: () => (networks += 1), requests: ({ events }) => requests.push(...events) });
    link.connect();
  });
  afterEach(() => vi.useRealTimers());

  const welcome = (port: FakePort | undefined, helperVersion = '1.0.0'): void => port?.say({ v: 1, id: port.sent[0]?.['id'], type: 'welcome', payload: { protocol: 1, helperVersion, capabilities: ['ranks'] } });
  const open = (): FakePort[] => ports.filter(({ isOpen }) => isOpen);

  it.each([
    ['says nothing', () => undefined],
    ['refuses', (port: FakePort) => port.say({ v: 1, id: port.sent[0]?.['id'], type: 'error', payload: { code: 'E_PROTOCOL_VERSION', message: 'm', next: 'n' } })],
    ['talks nonsense', (port: FakePort) => port.say('junk')],
  ])('leaves no process beside the next one when the helper %s at hello', async (_, misbehave) => {
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const port = ports.at(-1);
      if (port !== undefined) misbehave(port);
      await vi.advanceTimersByTimeAsync(6_000);
      expect(open()).toEqual([]);
      await vi.advanceTimersByTimeAsync(600_000);
    }
    expect(ports.length).toBeGreaterThan(3);
  });

  it('looks for no helper where the browser starts none, whoever asks', async () => {
    vi.stubGlobal('chrome', { runtime: {} });
    const nowhere = new HelperLink({ changed: () => undefined, leave: () => Promise.resolve(true), link: () => undefined, networkChanged: () => undefined, requests: () => undefined });
    nowhere.connect();
    await nowhere.look();
    expect([nowhere.state, nowhere.can('ranks'), await nowhere.ask('driver', {})]).toEqual(['notHere', false, null]);
  });

  it('outlives the late end of an earlier port', async () => {
    await vi.advanceTimersByTimeAsync(6_000);
    await vi.advanceTimersByTimeAsync(10_000);
    welcome(ports[1]);
    await vi.advanceTimersByTimeAsync(0);
    expect(link.state).toBe('connected');
    ports[0]?.end();
    expect([link.state, link.version, link.can('ranks')]).toEqual(['connected', '1.0.0', true]);
    ports[1]?.end();
    expect([link.state, link.version]).toEqual(['absent', null]);
  });

  it.each([
    ['1.0.7', null],
    ['0.9.0', { kind: 'helperOlder', extension: '1.0.0', helper: '0.9.0' }],
    ['1.1.0', { kind: 'extensionOlder', extension: '1.0.0', helper: '1.1.0' }],
  ])('knows whether a helper of release %s fits, and no longer when it has gone', async (version, misfit) => {
    welcome(ports[0], version);
    await vi.advanceTimersByTimeAsync(0);
    expect([link.state, link.misfit]).toEqual(['connected', misfit]);
    ports[0]?.end();
    expect(link.misfit).toBeNull();
  });

  it('knows why a helper refused that speaks another protocol', async () => {
    ports[0]?.say({ v: 1, id: ports[0].sent[0]?.['id'], type: 'error', payload: { code: 'E_PROTOCOL_VERSION', message: 'm', next: 'n' } });
    await vi.advanceTimersByTimeAsync(0);
    expect([link.state, link.misfit]).toEqual(['absent', { kind: 'protocol', extension: '1.0.0', helper: '' }]);
  });

  describe('when a person looks', () => {
    const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

    it('tries at once, and answers when it is known whether there is a helper', async () => {
      ports[0]?.end();
      await settle();
      let isKnown = false;
      void link.look().then(() => (isKnown = true));
      await settle();
      expect([ports.length, link.state, isKnown]).toEqual([2, 'connecting', false]);
      welcome(ports[1]);
      await settle();
      expect([link.state, isKnown]).toEqual(['connected', true]);
      await vi.advanceTimersByTimeAsync(600_000);
      expect(ports, 'the attempt that was to come is not made').toHaveLength(2);
    });

    it('waits for the attempt that is under way, and makes none beside it or beside a helper that is there', async () => {
      const looks = Promise.all([link.look(), link.look()]);
      welcome(ports[0]);
      await looks;
      await link.look();
      expect([ports.length, link.state]).toEqual([1, 'connected']);
    });

    it('in vain, makes no later attempt later', async () => {
      for (let time = 0; time < 20; time += 1) {
        ports.at(-1)?.end();
        await settle();
        void link.look();
      }
      ports.at(-1)?.end();
      await settle();
      const before = ports.length;
      await vi.advanceTimersByTimeAsync(10_000);
      expect(ports).toHaveLength(before + 1);
    });
  });

  it('has another helper started in the place of the one that is there, which loses its port', async () => {
    welcome(ports[0]);
    await vi.advanceTimersByTimeAsync(0);
    const renewed = link.renew();
    expect(open()).toEqual([ports[1]]);
    welcome(ports[1], '1.0.3');
    await renewed;
    expect([link.state, link.version]).toEqual(['connected', '1.0.3']);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(ports).toHaveLength(2);
  });

  it('tells the helper nothing of the browser', () => {
    expect(ports[0]?.sent).toEqual([expect.objectContaining({ type: 'hello', payload: { protocols: [1], extensionVersion: '1.0.0', browser: '', capabilities: [] } })]);
  });

  it('hears the ways of requests, and takes nothing else for one', async () => {
    welcome(ports[0]);
    await vi.advanceTimersByTimeAsync(0);
    const event = { type: 'resumed', atMs: 1, request: 2 };
    ports[0]?.say({ v: 1, id: 0, type: 'requests', payload: { wallOffsetMs: 5, events: [event] } });
    expect([requests, link.state]).toEqual([[event], 'connected']);
    ports[0]?.say({ v: 1, id: 0, type: 'requests', payload: { wallOffsetMs: 5, events: [{ ...event, request: -1 }] } });
    expect([requests, link.state]).toEqual([[event], 'absent']);
  });

  it('hears of another network', async () => {
    welcome(ports[0]);
    await vi.advanceTimersByTimeAsync(0);
    ports[0]?.say({ v: 1, id: 0, type: 'networkChanged', payload: {} });
    expect([networks, link.state]).toEqual([1, 'connected']);
  });

  it('sends nothing over the limit of a frame, and goes on', async () => {
    welcome(ports[0]);
    await vi.advanceTimersByTimeAsync(0);
    const images = (chars: number) => [{ url: 'x'.repeat(chars), rankClass: 0 as const, order: 0, pixels: null }];
    link.tell('ranks', { images: images(MAX_FRAME_BYTES) });
    link.tell('ranks', { images: images(10) });
    expect(ports[0]?.sent.map(({ type }) => type)).toEqual(['hello', 'ranks']);
    expect(link.state).toBe('connected');
  });
});
