import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connectLocally, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import { testAuthority, type TestAuthority } from '../testing/testAuthority.ts';

let theirs: TestAuthority;
let server: Server;
let caFile: string;

beforeEach(async () => {
  theirs = await testAuthority();
  caFile = join(temporaryDirectory(), 'ca.pem');
  writeFileSync(caFile, theirs.certificatePem);
  server = createServer({ SNICallback: theirs.sniCallback });
  server.on('tlsClientError', () => undefined);
  await listenLocally(server);
});
afterEach(() => void server.close());

/** What a process with this environment says of the server. */
async function verdict(env: Readonly<Record<string, string>>, added: string | null): Promise<string> {
  const port = portOf(server);
  const modules = join(import.meta.dirname, '../../../shared/src/node/upstream');
  const program = `
    import { connect } from 'node:net';
    import { TlsStarter } from '${modules}/startTls.ts';
    const tls = new TlsStarter(${JSON.stringify(added)});
    const socket = await tls.start(connect(${port}, '127.0.0.1'), 'localhost').catch((error) => ({ verdict: error.code + ' ' + error.cause.code, destroy() {} }));
    console.log(socket.verdict ?? 'accepted');
    socket.destroy();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { env: { PATH: process.env['PATH'] ?? '', ...env } });
  return stdout.trim();
}

it('a server that does not verify is refused whatever the environment says', async () => {
  const environments = [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, { NODE_EXTRA_CA_CERTS: caFile }, { SSL_CERT_FILE: caFile, NODE_OPTIONS: '--use-openssl-ca' }, { SSL_CERT_FILE: caFile, NODE_OPTIONS: '--use-system-ca' }];
  expect(await Promise.all(environments.map((env) => verdict(env, null)))).toEqual(Array(4).fill('E_UPSTREAM_TLS UNABLE_TO_VERIFY_LEAF_SIGNATURE'));
});

it('an authority that the user has added is trusted', async () => {
  expect(await verdict({}, theirs.certificatePem)).toBe('accepted');
});

it('what verifies servers is made once, whoever asks, and is another one with other authorities', () => {
  const [first, second, other] = [null, null, theirs.certificatePem].map((added) => new TlsStarter(added).prepare());
  expect([second === first, other === first]).toEqual([true, false]);
});

it('a server that takes the connection and says nothing is given up', async () => {
  const silent = await listenLocally(createTcpServer((socket) => socket.on('error', () => undefined)));
  const socket = await connectLocally(portOf(silent));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const verdict = new TlsStarter(null).start(socket, 'a.test').catch((error: unknown) => error);
  vi.advanceTimersByTime(30_000);
  vi.useRealTimers();
  expect(await verdict).toMatchObject({ code: 'E_UPSTREAM_TLS' });
  await expect.poll(() => socket.destroyed).toBe(true);
  silent.close();
});
