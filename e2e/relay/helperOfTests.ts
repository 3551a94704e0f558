import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { FrameParser, encodeFrame } from '../../shared/src/protocol/framing.ts';
import { CHROMIUM_EXTENSION_ORIGIN } from '../../shared/src/protocol/identity.ts';
import { MAX_FRAME_BYTES, PROTOCOL_VERSION, parseHelperMessage, type ExtensionMessage, type HelperMessage } from '../../shared/src/protocol/native.ts';
import { BENCH_HELPER } from '../browsers/executables.ts';

/** Of servers as if they were of the public web, which is all that a relay goes to. */
export const SERVER_HOST = '127.0.0.2';
/** What makes them so, for helpers and relays. */
export const PUBLIC_SERVERS = { FIRSTSCREEN_PUBLIC: `${SERVER_HOST}/32` } as const;

/** As the launcher starts it (helper/src/cli/launcher.ts). */
const NODE_OPTIONS = ['--max-semi-space-size=8'];

/** A helper as built, whose extension is this process, with its proxy and the relay of its settings. */
export class HelperOfTests {
  /** Of its proxy. */
  port = 0;
  authorization = '';
  /** The relay has taken it; who takes the relay away says that it has not. */
  isConnected = false;
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private readonly taken: PromiseWithResolvers<void> = Promise.withResolvers();
  private log = '';

  /** @param environment may name other public networks, and other parts that are left out */
  constructor(environment: NodeJS.ProcessEnv) {
    // loopback is a fast link, on which nothing would go by a relay
    const env = { ...process.env, ...PUBLIC_SERVERS, FIRSTSCREEN_PARTS_OFF: 'steppingAside', ...environment };
    this.child = spawn(process.execPath, [...NODE_OPTIONS, BENCH_HELPER, 'host', CHROMIUM_EXTENSION_ORIGIN], { stdio: 'pipe', env });
    this.child.stdin.on('error', () => undefined);
    this.child.stderr.on('data', (text: Buffer) => (this.log += text.toString()));
    onLog(this.child.stderr, ({ scope, message }) => {
      if (scope !== 'relay' || message !== 'connected') return;
      this.isConnected = true;
      this.taken.resolve();
    });
  }

  /** Settles when it has a proxy, and the relay has taken it. @throws when it ends before, or has none */
  async ready(): Promise<void> {
    await this.hasProxy();
    await Promise.race([this.taken.promise, once(this.child.stdout, 'end').then(() => this.ended())]);
  }

  /** Settles when it has a proxy. @throws when it ends before, or has none */
  async hasProxy(): Promise<void> {
    this.say({ v: PROTOCOL_VERSION, id: 0, type: 'hello', payload: { protocols: [PROTOCOL_VERSION], extensionVersion: '0.1.0', browser: 'none', capabilities: [] } });
    this.say({ v: PROTOCOL_VERSION, id: 1, type: 'proxy', payload: { mayRemember: false, profile: 'tests' } });
    for await (const { type, payload } of this.answers()) {
      if (type === 'error') throw new Error(payload.message);
      if (type !== 'proxied') continue;
      this.port = payload.port;
      this.authorization = `Basic ${Buffer.from(`${payload.username}:${payload.password}`).toString('base64')}`;
      break;
    }
    this.child.stdout.resume();
  }

  async close(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.stdin.end();
    if (this.child.exitCode === null) await ended;
  }

  private say(message: ExtensionMessage): void {
    this.child.stdin.write(encodeFrame(Buffer.from(JSON.stringify(message)), MAX_FRAME_BYTES));
  }

  private async *answers(): AsyncGenerator<HelperMessage, void, undefined> {
    const frames = new FrameParser(MAX_FRAME_BYTES);
    for await (const chunk of this.child.stdout.iterator({ destroyOnReturn: false })) {
      for (const body of frames.push(chunk as Uint8Array)) yield parseHelperMessage(JSON.parse(Buffer.from(body).toString()));
    }
    this.ended();
  }

  private ended(): never {
    throw new Error(`the helper has ended: ${this.log}`);
  }
}

/** Hears each entry of the log of a helper or a relay: JSON in lines. */
export function onLog(stderr: Readable, told: (entry: { readonly scope: string; readonly message: string }) => void): void {
  createInterface({ input: stderr }).on('line', (line) => told(JSON.parse(line) as { readonly scope: string; readonly message: string }));
}
