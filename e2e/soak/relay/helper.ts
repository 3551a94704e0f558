import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFrame, FrameParser } from '../../../shared/src/protocol/framing.ts';
import { CHROMIUM_EXTENSION_ORIGIN } from '../../../shared/src/protocol/identity.ts';
import { MAX_FRAME_BYTES, PROTOCOL_VERSION, parseHelperMessage, type ExtensionMessage, type HelperMessage } from '../../../shared/src/protocol/native.ts';
import { helperEnvironment } from '../../browsers/extension.ts';
import { SERVER_HOST } from './pageServers.ts';

const HELPER = path.join(import.meta.dirname, '../../../dist/bench/firstscreen-helper.mjs');
const LOOK_MS = 5;

/** A helper whose extension is this process, with its proxy and its relay. */
export class Helper {
  /** Of its proxy. */
  port = 0;
  authorization = '';
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private log = '';

  private constructor(home: string) {
    const directory = path.join(home, 'own');
    mkdirSync(directory, { recursive: true });
    const environment = { ...helperEnvironment(home), XDG_STATE_HOME: directory, XDG_CACHE_HOME: directory };
    // loopback is a fast link, on which no request would go by the relay
    this.child = spawn(process.execPath, [HELPER, 'host', CHROMIUM_EXTENSION_ORIGIN], { stdio: 'pipe', env: { ...process.env, ...environment, FIRSTSCREEN_PUBLIC: `${SERVER_HOST}/32`, FIRSTSCREEN_PARTS_OFF: 'steppingAside' } });
    this.child.stdin.on('error', () => undefined);
    this.child.stderr.on('data', (text: Buffer) => (this.log += text.toString()));
  }

  /** Settles when the relay has taken it. @param home with `relay.json` */
  static async start(home: string): Promise<Helper> {
    const helper = new Helper(home);
    const answers = helper.answers();
    helper.say({ v: PROTOCOL_VERSION, id: 0, type: 'hello', payload: { protocols: [PROTOCOL_VERSION], extensionVersion: '0', browser: 'none', capabilities: [] } });
    helper.say({ v: PROTOCOL_VERSION, id: 1, type: 'proxy', payload: { mayRemember: false, profile: 'soak' } });
    for await (const { type, payload } of answers) {
      if (type === 'error') throw new Error(payload.message);
      if (type !== 'proxied') continue;
      helper.port = payload.port;
      helper.authorization = `Basic ${Buffer.from(`${payload.username}:${payload.password}`).toString('base64')}`;
      break;
    }
    helper.child.stdout.resume();
    while (!helper.log.includes('"message":"connected"')) {
      if (helper.child.exitCode !== null) throw new Error(`the helper has ended: ${helper.log}`);
      await sleep(LOOK_MS);
    }
    return helper;
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
    throw new Error(`the helper has ended: ${this.log}`);
  }
}
