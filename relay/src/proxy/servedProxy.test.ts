import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import type { LogEntry } from '../../../shared/src/log.ts';
import { publicWith } from '../../../shared/src/names/addressPolicy.ts';
import { HostResolver } from '../../../shared/src/names/resolveHost.ts';
import { parseRelayLink, RELAY_OWN_HOST, relayLinkText, type RelayLink } from '../../../shared/src/relay/relayLink.ts';
import { PROXY_LIMITS } from '../carrier/limits.ts';
import { runCli } from '../cli/runCli.ts';
import { RelayDirectory } from '../settings/relayDirectory.ts';
import { PUBLIC_HOST, answerOf, endOf, requestTunnel } from '../testing/testRelay.ts';
import { writeCertificate, type CertificateFiles } from '../testing/proxyCertificateFiles.ts';
import { TestServer } from '../testing/testServer.ts';
import { ServerOpener } from '../tunnels/openServer.ts';
import { ServedProxy } from './servedProxy.ts';

const HOST = 'relay.example.com';

let parent: string;
let path: string;
let files: CertificateFiles;
let proxy: ServedProxy;
let server: TestServer;
let log: LogEntry[];
let unwatch: () => void;
const sessions: ClientHttp2Session[] = [];

beforeEach(async () => {
  parent = temporaryDirectory();
  path = join(parent, 'relay');
  files = await writeCertificate(parent, HOST);
  log = [];
  await run('init', '--listen', '127.0.0.1:4433');
  const directory = new RelayDirectory(path);
  const unknown = (): Promise<never> => Promise.reject(new Error('nobody knows it'));
  const names = new Map([['a.test', [{ address: PUBLIC_HOST, family: 4 as const }]], ['home.test', [{ address: '192.168.1.1', family: 4 as const }]]]);
  const opener = new ServerOpener({ resolver: new HostResolver({ hosts: () => names, ask: unknown, lookup: unknown, looksFurther: () => true, now: () => performance.now() }), isPublic: publicWith(`${PUBLIC_HOST}/32`) });
  proxy = new ServedProxy({ directory, opener, log: (entry) => log.push(entry), fd: null, changed: () => undefined });
  unwatch = directory.onChange(() => void proxy.refresh(), 'proxy.json');
  server = await TestServer.start((socket) => socket.pipe(socket));
});
afterEach(async () => {
  unwatch();
  for (const session of sessions.splice(0)) session.destroy();
  await proxy.close();
  await server.close();
});

async function run(command: string, ...args: readonly string[]): Promise<{ status: number; out: string }> {
  const out: string[] = [];
  const print = (text: string): void => void out.push(text);
  const status = await runCli([command, ...args, '--directory', path], { print, printError: print, log: () => undefined, ended: AbortSignal.abort(), isPublic: () => false, authorities: null, coder: ['/bin/true'] });
  return { status, out: out.join('\n') };
}

const configure = async (): ReturnType<typeof run> => run('proxy', '--address', `${HOST}:8443`, '--listen', `127.0.0.1:${await freePort()}`, '--certificate', files.certificate, '--key', files.key);

/** A browser that is let in. */
async function allow(name = 'phone'): Promise<RelayLink> {
  return parseRelayLink((await run('proxy-allow', name)).out);
}

/** The proxy as it runs, and somebody who may use it. */
async function started(): Promise<RelayLink> {
  await configure();
  const link = await allow();
  await proxy.refresh();
  expect(log).toContainEqual(expect.objectContaining({ message: 'proxy served' }));
  return link;
}

async function freePort(): Promise<number> {
  const other = await TestServer.start();
  const { port } = other;
  await other.close();
  return port;
}

/** As a browser does it: by the proxy's certificate, whose authority it knows, and its name. */
function tls(ca = files.cert, protocols = ['h2', 'http/1.1']): TLSSocket {
  return connectTls({ host: '127.0.0.1', port: proxy.port ?? 0, servername: HOST, ca, ALPNProtocols: protocols }).on('error', () => undefined);
}

const closed = (socket: TLSSocket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve));

async function connect(ca = files.cert): Promise<ClientHttp2Session> {
  const socket = tls(ca);
  await once(socket, 'secureConnect');
  const session = connectHttp2(`https://${HOST}`, { createConnection: () => socket }).on('error', () => undefined);
  sessions.push(session);
  return session;
}

const credentials = ({ user, token }: Pick<RelayLink, 'user' | 'token'>): string => `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`;

function ask(session: ClientHttp2Session, fields: IncomingHttpHeaders): ReturnType<ClientHttp2Session['request']> {
  return session.request(fields).on('error', () => undefined);
}
const tunnel = (session: ClientHttp2Session, link: Pick<RelayLink, 'user' | 'token'>, target = `a.test:${server.port}`): ReturnType<typeof ask> => ask(session, { ':method': 'CONNECT', ':authority': target, 'proxy-authorization': credentials(link) });

describe('who may use it', () => {
  it('a browser with a token has tunnels, and one that has none is asked for one', async () => {
    const link = await started();
    const session = await connect();
    expect(await answerOf(requestTunnel(session, `a.test:${server.port}`))).toMatchObject({ ':status': 407, 'proxy-authenticate': expect.stringMatching(/^Basic realm="firstscreen-relay"/) as string });
    const stream = tunnel(session, link);
    stream.end('echo');
    expect(await textOf(stream)).toBe('echo');
  });

  it('nobody with a wrong token, who gets no answer, and after ten of them nobody from there', async () => {
    const link = await started();
    const wrong = async (token: string): Promise<void> => {
      const session = await connect();
      const stream = tunnel(session, { ...link, token });
      stream.once('response', () => expect.fail('it is answered'));
      await once(session, 'close');
    };
    for (let n = 0; n < 9; n += 1) await wrong(`wrong${n}`);
    const session = await connect();
    expect((await answerOf(tunnel(session, link)))[':status']).toBe(200);
    await wrong('wrong');
    const ended = once(session, 'close');
    void tunnel(session, link);
    await ended;
    // no handshake either
    await closed(tls());
    expect(server.sockets.length).toBe(1);
  });

  it('nobody whose token is taken back: what he has open ends, and nothing of others', async () => {
    const link = await started();
    const other = await allow('laptop');
    await proxy.refresh();
    const [mine, others] = [await connect(), await connect()];
    const [ending, kept] = [tunnel(mine, link), tunnel(others, other)];
    await Promise.all([answerOf(ending), answerOf(kept)]);
    const ended = once(mine, 'close');
    await run('proxy-revoke', 'phone');
    await ended;
    kept.end('still');
    expect(await textOf(kept)).toBe('still');
    const again = await connect();
    void tunnel(again, link);
    await once(again, 'close');
  });

  it('nobody whose token is taken back, though another one is shown on his connection as well', async () => {
    const link = await started();
    const other = await allow('laptop');
    await proxy.refresh();
    const session = await connect();
    for (const by of [link, other]) await answerOf(tunnel(session, by));
    const ended = once(session, 'close');
    await run('proxy-revoke', 'phone');
    await ended;
  });

  it('a browser that is let in stays, and the next one is let in, however many come that say nothing', async () => {
    const link = await started();
    const kept = tunnel(await connect(), link);
    await answerOf(kept);
    const silent = Array.from({ length: PROXY_LIMITS.handshakes + 1 }, () => connectTcp(proxy.port ?? 0, '127.0.0.1').on('error', () => undefined));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    expect((await answerOf(tunnel(await connect(), link)))[':status']).toBe(200);
    kept.end('still');
    expect(await textOf(kept)).toBe('still');
    for (const socket of silent) socket.destroy();
  });

  it('nobody by HTTP/1.1, which would make each tunnel a connection', async () => {
    await started();
    const socket = tls(files.cert, ['http/1.1']);
    socket.write(`CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n`);
    let said = '';
    socket.on('data', (chunk) => (said += String(chunk)));
    await closed(socket);
    expect(said).toBe('');
  });
});

describe('what it does', () => {
  it.each([
    ['a private address by its name', 'home.test:443', 403, 'E_ADDRESS'],
    ['no HOST:PORT', 'a.test', 400, 'E_PROXY_TARGET'],
  ])('refuses %s', async (_case, target, status, code) => {
    const link = await started();
    expect(await answerOf(tunnel(await connect(), link, target))).toMatchObject({ ':status': status, 'firstscreen-error': code });
  });

  it('carries no request but CONNECT, and says of itself that it is there to those alone that it lets in', async () => {
    const link = await started();
    const session = await connect();
    const plain = (method: string, host: string, by?: RelayLink): Promise<IncomingHttpHeaders> => answerOf(ask(session, { ':method': method, ':scheme': 'http', ':authority': host, ':path': '/', ...(by && { 'proxy-authorization': credentials(by) }) }));
    expect(await plain('GET', `a.test:${server.port}`, link)).toMatchObject({ ':status': 405, allow: 'CONNECT' });
    expect(await plain('POST', `x.${RELAY_OWN_HOST}`, link)).toMatchObject({ ':status': 405 });
    expect(await plain('GET', `x.${RELAY_OWN_HOST}`, link)).toMatchObject({ ':status': 204 });
    expect(await plain('GET', `x.${RELAY_OWN_HOST}`)).toMatchObject({ ':status': 407 });
    const itself = (by: RelayLink, field = 'authorization'): Promise<IncomingHttpHeaders> => answerOf(ask(session, { ':method': 'GET', ':scheme': 'https', ':authority': `${HOST}:8443`, ':path': '/', [field]: credentials(by) }));
    expect([await itself(link), await itself({ ...link, token: 'wrong' }), await itself(link, 'x-other')].map(({ ':status': status }) => status)).toEqual([204, 407, 407]);
    expect(server.sockets).toEqual([]);
  });

  it('ends a connection on which only challenges are answered', async () => {
    await started();
    const session = await connect();
    const ended = once(session, 'close');
    for (let n = 0; n < 40; n += 1) void endOf(requestTunnel(session, 'a.test:443'));
    await ended;
  });

  it('has no address, no host and no token in its log', async () => {
    const link = await started();
    const session = await connect();
    await answerOf(tunnel(session, link));
    await answerOf(tunnel(session, link, 'home.test:443'));
    void tunnel(session, { ...link, token: 'secret' });
    await expect.poll(() => log.some(({ message }) => message === 'carrier ended')).toBe(true);
    expect(JSON.stringify(log)).not.toMatch(/a\.test|home|127\.0|secret|192\.168/);
    expect(JSON.stringify(log)).not.toContain(link.token);
  });
});

describe('its certificate', () => {
  it('is taken over when it is renewed, with all that is open', async () => {
    const link = await started();
    const kept = tunnel(await connect(), link);
    await answerOf(kept);
    const renewed = await writeCertificate(parent, HOST);
    await proxy.refresh();
    await connect(renewed.cert);
    kept.end('still');
    expect(await textOf(kept)).toBe('still');
  });

  it.each<[string, () => unknown, RegExp]>([
    ['is not there', () => rmSync(files.certificate), /certificate can not be read \(ENOENT\)/],
    ['has ended', () => writeCertificate(parent, HOST, -1), /has ended on \d{4}-/],
    ['is of another host', () => writeCertificate(parent, 'other.example.com'), /not of the host/],
    ['is of another key', async () => writeFileSync(files.certificate, (await writeCertificate(mkdtempSync(join(parent, 'x-')), HOST)).cert), /key is that of another/],
    ['is none', () => writeFileSync(files.certificate, 'x'), /is no certificate/],
    ['has a key that everybody may read', () => chmodSync(files.key, 0o644), /everybody may read/],
  ])('that %s is refused by the command, by the relay and by doctor, with what is wrong', async (_case, spoil, message) => {
    unwatch();
    await configure();
    await spoil();
    expect(await configure()).toMatchObject({ status: 1, out: expect.stringMatching(message) as string });
    await proxy.refresh();
    expect([proxy.port, log.at(-1)?.fields]).toEqual([null, { code: 'E_RELAY_CERTIFICATE', reason: expect.stringMatching(message) as string }]);
    expect((await run('doctor')).out).toMatch(/fail +proxy of browsers/);
  });

  it('that can not be used where the proxy goes elsewhere leaves it where it was, until that is mended', async () => {
    await started();
    unwatch();
    const [before, next] = [proxy.port, await freePort()];
    chmodSync(files.key, 0o644);
    const directory = new RelayDirectory(path);
    const settings = directory.proxySettings();
    directory.writeProxy(settings && { ...settings, listen: `127.0.0.1:${next}` });
    await proxy.refresh();
    expect(proxy.port).toBe(before);
    chmodSync(files.key, 0o600);
    await proxy.refresh();
    expect(proxy.port).toBe(next);
  });

  it('that is broken when it is renewed leaves the one before, and what is mended is taken over', async () => {
    const link = await started();
    writeFileSync(files.certificate, 'half');
    await proxy.refresh();
    expect(log.at(-1)).toMatchObject({ message: 'proxy not taken over' });
    expect((await answerOf(tunnel(await connect(), link)))[':status']).toBe(200);
  });
});

describe('the command line', () => {
  it('says the link to paste once, lists users, and makes it no proxy any more', async () => {
    expect(await configure()).toMatchObject({ status: 0, out: expect.stringContaining('proxy-allow') as string });
    const { out } = await run('proxy-allow', 'phone');
    expect(relayLinkText(parseRelayLink(out))).toBe(out);
    expect(parseRelayLink(out)).toMatchObject({ host: HOST, port: 8443, user: 'phone' });
    expect((await run('status')).out).toMatch(/is a proxy of browsers at relay\.example\.com:8443\n {2}phone$/);
    await run('proxy-off');
    expect(await run('proxy-allow', 'phone')).toMatchObject({ status: 1, out: expect.stringContaining('no proxy of browsers') as string });
  });

  it.each([
    ['proxy'],
    ['proxy', '--address', 'relay.example.com:8443'],
    ['proxy-allow'],
    ['serve', '--key', 'x'],
    ['status', '--listen', '[::]:1'],
  ])('%s %s is written wrongly', async (command, ...args) => {
    expect((await run(command, ...args)).status).toBe(2);
  });
});
