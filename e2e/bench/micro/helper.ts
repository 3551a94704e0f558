import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { HELPER } from '../../browsers/executables.ts';
import { encodeFrame, FrameParser } from '../../../shared/src/protocol/framing.ts';
import { CHROMIUM_EXTENSION_ORIGIN } from '../../../shared/src/protocol/identity.ts';
import { MAX_FRAME_BYTES, parseHelperMessage, PROTOCOL_VERSION, type ExtensionMessage, type HelperMessage } from '../../../shared/src/protocol/native.ts';
import type { Measurement } from './measurement.ts';

const PINGS = 2000;
const WARM_UP = 50;
const ROUND_TRIP_TARGET_MS = 1;

/** Question and answer with the built helper, over its pipes, without a browser between. */
export async function measureHelper(): Promise<Measurement[]> {
  const helper = spawn(process.execPath, [HELPER, 'host', CHROMIUM_EXTENSION_ORIGIN], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const answers = messagesOf(helper.stdout);
    const ask = async (message: ExtensionMessage): Promise<void> => {
      helper.stdin.write(encodeFrame(new TextEncoder().encode(JSON.stringify(message)), MAX_FRAME_BYTES));
      const answer = await answers.next();
      if (answer.done === true || answer.value.type === 'error') throw new Error(`The helper did not answer "${message.type}": ${JSON.stringify(answer.value)}`);
    };
    await ask({ v: PROTOCOL_VERSION, id: 0, type: 'hello', payload: { protocols: [PROTOCOL_VERSION], extensionVersion: '0', browser: 'none', capabilities: [] } });
    return [
      {
        name: 'helper round trip',
        method: 'ping and pong with dist/helper over pipes',
        samplesMs: await sample(PINGS, (id) => ask({ v: PROTOCOL_VERSION, id, type: 'ping', payload: {} })),
        targetMs: ROUND_TRIP_TARGET_MS,
      },
    ];
  } finally {
    helper.stdin.end();
    if (helper.exitCode === null) await once(helper, 'exit');
  }
}

async function sample(times: number, run: (id: number) => Promise<void>): Promise<number[]> {
  const samplesMs: number[] = [];
  for (let id = 1; id <= WARM_UP + times; id += 1) {
    const startMs = performance.now();
    await run(id);
    if (id > WARM_UP) samplesMs.push(performance.now() - startMs);
  }
  return samplesMs;
}

async function* messagesOf(stdout: Readable): AsyncGenerator<HelperMessage, void, undefined> {
  const frames = new FrameParser(MAX_FRAME_BYTES);
  for await (const chunk of stdout) {
    for (const body of frames.push(chunk as Uint8Array)) yield parseHelperMessage(JSON.parse(new TextDecoder().decode(body)));
  }
}
