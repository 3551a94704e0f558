import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import * as v from 'valibot';
import { BenchError } from '../bench/errors.ts';

/** What the other side says of an answer that is no success. */
const Coded = v.pipe(v.string(), v.parseJson(), v.object({ code: v.string(), message: v.string(), next: v.optional(v.string(), '') }));

/** One JSON request over a unix socket. Rejects with BenchError for an answer that is no 2xx. */
export async function controlRequest(socketPath: string, method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const payload = body === undefined ? '' : JSON.stringify(body);
  const outgoing = request({ socketPath, method, path, headers: { host: 'control', 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } });
  // told of by what waits for the answer
  outgoing.on('error', () => undefined);
  outgoing.end(payload);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const text = await textOf(response);
  if (response.statusCode === undefined || response.statusCode >= 300) throw controlError(`${method} ${path}`, response.statusCode ?? 0, text);
  return text === '' ? {} : JSON.parse(text);
}

function controlError(what: string, status: number, text: string): BenchError {
  const told = v.safeParse(Coded, text);
  if (told.success) return new BenchError(told.output.code, told.output.message, told.output.next);
  return new BenchError('E_CONTROL', `${what} answered ${status}: ${text.slice(0, 200)}`, 'see the output of the test bed above');
}
