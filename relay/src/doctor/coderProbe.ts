import { once } from 'node:events';
import * as v from 'valibot';
import { spawnCoder } from '../encoding/imageCoders.ts';

/** Of a machine that is busy; one at rest takes half a second. */
const READY_LIMIT_MS = 10_000;

const ReadySchema = v.object({ ready: v.boolean() });

/** Starts a coder of pictures, which encodes one of a single pixel before it says that it can. @param command that runs it @returns whether it can */
export async function canEncode(command: readonly string[]): Promise<boolean> {
  const child = spawnCoder(command);
  const said = Promise.withResolvers<unknown>();
  child.once('message', said.resolve);
  child.once('error', () => said.resolve(null));
  child.once('exit', () => said.resolve(null));
  const timer = setTimeout(said.resolve, READY_LIMIT_MS, null);
  try {
    const { success, output } = v.safeParse(ReadySchema, await said.promise);
    return success && output.ready;
  } finally {
    clearTimeout(timer);
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  }
}
