import { request } from 'node:http';
import * as v from 'valibot';
import { BenchError } from '../bench/errors.ts';

/** What the other side says of an answer that is no success. */
const Coded = v.pipe(v.string(), v.parseJson(), v.object({ code: v.string(), message: v.string(), next: v.optional(v.string(), '') }));

/** One JSON request over a unix socket. Rejects with BenchError for an answer that is no 2xx. */
export function controlRequest(socketPath: string, method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const payload = body === undefined ? '' : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { socketPath, method, path, headers: { host: 'control', 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          if (response.statusCode !== undefined && response.statusCode < 300) resolve(text === '' ? {} : JSON.parse(text));
          else reject(controlError(`${method} ${path}`, response.statusCode ?? 0, text));
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

function controlError(what: string, status: number, text: string): BenchError {
  const told = v.safeParse(Coded, text);
  if (told.success) return new BenchError(told.output.code, told.output.message, told.output.next);
  return new BenchError('E_CONTROL', `${what} answered ${status}: ${text.slice(0, 200)}`, 'see the output of the test bed above');
}
