import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BenchError } from '../errors.ts';
import { linkOptions } from '../linkOptions.ts';
import { startTestbed } from '../testbedProcess.ts';
import type { ProxyBenchOptions } from './options.ts';
import { ReaderMessage, type ReaderPlan } from './readerPlan.ts';
import type { ReaderRun, Results } from './results.ts';

/** In a namespace of its own, where nobody else can have it. */
const SERVER_PORT = 8080;

/** IB: a reader that stops, over the emulated link, without and with our proxy. @throws BenchError with the link's code, or E_TESTBED */
export async function measureReader(options: ProxyBenchOptions, temporaryDir: string, tell: (run: ReaderRun) => void): Promise<Pick<Results, 'reader' | 'link'>> {
  const plan: ReaderPlan = {
    temporaryDir, linkSocket: join(temporaryDir, 'link.sock'), serverSocket: join(temporaryDir, 'far.sock'), serverPort: SERVER_PORT,
    pairs: options.pairs, bytes: options.readerBytes, stopMs: options.stopMs, receiveBuffers: [...options.receiveBuffers], seed: options.seed,
  };
  const planFile = join(temporaryDir, 'reader.json');
  await writeFile(planFile, JSON.stringify(plan));
  await mkdir(options.out, { recursive: true });
  const result: { reader: ReaderRun[]; link: Results['link'] } = { reader: [], link: null };
  await startTestbed(
    {
      linkOptions: [...linkOptions(options.profile), '--seed', String(options.seed), '--control', plan.linkSocket],
      // it has no stdin to end with
      far: [process.execPath, join(import.meta.dirname, 'bodyServer.ts'), '--host', '0.0.0.0', '--port', String(SERVER_PORT), '--control', plan.serverSocket, '--stay'],
      worker: [process.execPath, join(import.meta.dirname, 'readerWorker.ts'), planFile],
      logFile: join(options.out, 'testbed.log'),
    },
    ReaderMessage,
    (message) => {
      if (message.type === 'end') result.link = message.link;
      else {
        result.reader.push(message.run);
        tell(message.run);
      }
    },
  ).ended;
  if (result.link === null) throw new BenchError('E_TESTBED', 'The worker of the reader did not come to its end', 'run the part reader by itself (--parts reader)');
  return result;
}
