import { X509Certificate, createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect as connectHttp2, createSecureServer } from 'node:http2';
import type { Server, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { NOTHING_EXPECTED } from '../../../shared/src/memory/neededObject.ts';
import { endToEnd, pairsOf } from '../../../shared/src/node/http/rawHeaders.ts';
import { listening } from '../../../shared/src/node/net/listening.ts';
import { ObjectRanks } from '../prediction/objectRanks.ts';
import { basicAuthorization } from './credentials.ts';
import { ProxyService, type ProxyServiceOptions } from './proxyService.ts';
import { answerRehearsal } from './rehearsedPage.ts';

export const LOOPBACK = '127.0.0.1';
/** As many as a page of many hosts has. */
const SERVERS = 4;
/** A name: addresses are not intercepted. */
const SECURE_HOST = 'localhost';

/** Fetches an object, as a browser does by the proxy. */
export type Get = (url: string, fields: readonly string[]) => Promise<void>;

/** Servers of this process, and a proxy before them that nobody else knows. */
export interface Stage {
  readonly origins: readonly string[];
  /** One visit: with connections as a browser has them for it. */
  visit(page: (get: Get) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export type StageOptions = Pick<ProxyServiceOptions, 'parts' | 'spoolDirectory'>;

/** Servers of http:. */
export async function clearStage(options: StageOptions): Promise<Stage> {
  const service = await startService(options, null);
  const origins: string[] = [];
  const servers = Array.from({ length: SERVERS }, () => createServer((request, response) => answerRehearsal(request.url ?? '', origins, response)));
  for (const server of servers) origins.push(`http://${LOOPBACK}:${await portOf(server)}`);
  const agent = new Agent({ keepAlive: true });
  const get: Get = async (url, fields) => {
    const request = httpRequest({ host: LOOPBACK, port: service.port, agent, path: url, headers: [...fields, 'Proxy-Authorization', basicAuthorization(service.credentials)] });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await buffer(response);
  };
  return {
    origins,
    visit: (page) => page(get),
    async close() {
      agent.destroy();
      await service.close();
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

/** A server of https: that is intercepted, with an authority that is gone with this process. */
export async function secureStage(options: StageOptions): Promise<Stage> {
  // 100 ms of processor to load, and only for who intercepts
  const [{ createAuthority }, { LeafCertificates }] = await Promise.all([import(/* webpackMode: "eager" */ '../trust/certificates.ts'), import(/* webpackMode: "eager" */ '../trust/leafCertificates.ts')]);
  const { certificatePem: ca, keyPem } = await createAuthority({ host: 'rehearsal', user: 'nobody' }, new Date());
  const authority = { certificate: new X509Certificate(ca), key: createPrivateKey(keyPem) };
  const service = await startService(options, { authority, isExcluded: () => false, serverAuthorities: ca });
  service.intercept();
  const leaves = new LeafCertificates(authority);
  const origins: string[] = [];
  const server = createSecureServer({ SNICallback: (name, done) => void leaves.secureContextFor(name).then((context) => done(null, context), done) });
  server.on('request', (request, response) => answerRehearsal(request.url, origins, response as unknown as ServerResponse));
  const port = await portOf(server);
  origins.push(`https://${SECURE_HOST}:${port}`);
  return {
    origins,
    async visit(page) {
      const socket = await tunnel(service, `${SECURE_HOST}:${port}`);
      const session = connectHttp2(origins[0] ?? '', { createConnection: () => connectTls({ socket, servername: SECURE_HOST, ca, ALPNProtocols: ['h2'] }) });
      session.on('error', () => undefined);
      try {
        await page(async (url, fields) => {
          await buffer(session.request({ ':path': new URL(url).pathname, ...fieldsOf(fields) }));
        });
      } finally {
        session.destroy();
      }
    },
    async close() {
      await service.close();
      server.close();
    },
  };
}

function startService({ parts, spoolDirectory }: StageOptions, trust: ProxyServiceOptions['trust']): Promise<ProxyService> {
  return ProxyService.start({ parts, spoolDirectory, isPublic: () => true, ranks: new ObjectRanks(), expected: () => NOTHING_EXPECTED, addressOf: () => null, profile: 'rehearsal', linkChanged: () => undefined, leave: () => Promise.resolve(false), trust, doesPay: () => true, log: () => undefined });
}

async function portOf(server: Server): Promise<number> {
  return (await listening(server, { port: 0, host: LOOPBACK })).port;
}

async function tunnel(service: ProxyService, path: string): Promise<Socket> {
  const request = httpRequest({ host: LOOPBACK, port: service.port, method: 'CONNECT', path, headers: { 'Proxy-Authorization': basicAuthorization(service.credentials) } });
  request.end();
  const [, socket] = (await once(request, 'connect')) as [IncomingMessage, Socket];
  return socket;
}

/** `:authority` stands for `Host` over HTTP/2. */
function fieldsOf(fields: readonly string[]): Record<string, string> {
  return Object.fromEntries(pairsOf(endToEnd(fields)).map(([name, value]) => [name.toLowerCase(), value] as const).filter(([name]) => name !== 'host'));
}
