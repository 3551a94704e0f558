import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { controlRequest } from './control.ts';

/** What a request comes to whose server answers so. */
async function asked(answer: (response: ServerResponse) => void): Promise<unknown> {
  const socket = join(temporaryDirectory(), 'control.sock');
  const server = createServer((_, response) => answer(response));
  onTestFinished(() => void server.close());
  await once(server.listen(socket), 'listening');
  return controlRequest(socket, 'POST', '/page', { path: 'a.warc' });
}

it('gives what is answered; of an empty answer, nothing', async () => {
  expect(await asked((response) => response.end('{"ns":1}'))).toEqual({ ns: 1 });
  expect(await asked((response) => response.end())).toEqual({});
});

it('tells a refusal by its code', async () => {
  await expect(asked((response) => response.writeHead(422).end('{"code":"E_WARC_OPEN","message":"no such file","next":"check the path"}'))).rejects.toMatchObject({ code: 'E_WARC_OPEN', next: 'check the path' });
  await expect(asked((response) => response.writeHead(502).end('<html>'))).rejects.toMatchObject({ code: 'E_CONTROL', message: 'POST /page answered 502: <html>' });
});

it.each<[string, (response: ServerResponse) => void]>([
  ['is no JSON', (response) => response.end('<html>')],
  ['is cut off', (response) => response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy())],
])('fails when the answer %s', async (_, answer) => {
  await expect(asked(answer)).rejects.toThrow();
});
