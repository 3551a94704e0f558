/**
 * What of a stream still comes when another one has become more urgent, behind what was on the wire by then: run in a network namespace of its own (queue/lateBinding.test.ts). All is told by
 * counts of bytes, of the kernel and of what comes: the reader stands still until nothing moves any more, so no clock has a part in it. Prints them as JSON.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { Socket, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { RECORD_BYTES } from '../carrier/carrierTransport.ts';
import { MAX_TURN_BYTES } from '../queue/sendQueue.ts';
import { TestRelay, answerOf, openControl, requestTunnel } from './testRelay.ts';
import { TestServer } from './testServer.ts';

/** Of what is not held back by how much is on the way: only what can wait is. */
const [LAYOUT, IN_VIEW] = [0, 2];
/** More than all buffers on the way hold. */
const BODY_BYTES = 20_000_000;
/** Of a network's card. */
const MTU = '1500';
/** One way. So there is a round trip's worth of a fast link, which is more than the buffers on the way hold: what the relay lets be on the way is no limit then (onTheWay.ts). */
const LINE_MS = 20;
const WARM_BYTES = 6_000_000;
/** A PING in its record. */
const MARK_BYTES = 9 + 8 + 5 + 1 + 16;
/** Headers of HTTP/2 and TLS 1.3, and its tag. */
const TURN_EXTRA_BYTES = 9 + Math.ceil((MAX_TURN_BYTES + 9) / RECORD_BYTES) * (5 + 1 + 16);
const POLL_MS = 10;
/** Nothing moves any more when so many looks are alike: the relay's turns are in between. */
const ALIKE = 20;
const HAPROXY = '/usr/sbin/haproxy';
/** Where HAProxy lets helpers in. */
const FRONT_PORT = 4433;
/** @param haproxySettings of an HAProxy before the relay; none without */
const [notSentLowat = '', receiveBytes = '', haproxySettings] = process.argv.slice(2);

interface Sent {
  /** That left the relay's machine, and that its kernel holds. */
  readonly wireBytes: number;
  readonly unsentBytes: number;
}

/** Of the connections that were accepted at a port, by their kernel. */
function sent(port: number): Sent {
  const lines = execFileSync('ss', ['-tinOH', 'state', 'established', `sport = :${port}`], { encoding: 'utf8' });
  const field = (name: string): number => [...lines.matchAll(new RegExp(`\\b${name}:(\\d+)`, 'g'))].reduce((sum, [, value]) => sum + Number(value), 0);
  return { wireBytes: field('bytes_sent') - field('bytes_retrans'), unsentBytes: field('notsent') };
}

async function still(port: number): Promise<Sent> {
  let last = sent(port);
  for (let alike = 0; alike < ALIKE; ) {
    await sleep(POLL_MS);
    const now = sent(port);
    alike = now.unsentBytes > 0 && now.wireBytes === last.wireBytes && now.unsentBytes === last.unsentBytes ? alike + 1 : 0;
    last = now;
  }
  return last;
}

execFileSync('ip', ['link', 'set', 'lo', 'mtu', MTU, 'up']);
writeFileSync('/proc/sys/net/ipv4/tcp_notsent_lowat', notSentLowat);
writeFileSync('/proc/sys/net/ipv4/tcp_rmem', `4096 ${receiveBytes} ${receiveBytes}`);

const relay = await TestRelay.start();
const accepting = haproxySettings === undefined ? relay.address.port : FRONT_PORT;
if (haproxySettings !== undefined) {
  const [HAPROXY_BIND, place] = [`127.0.0.1:${FRONT_PORT}`, `127.0.0.1:${relay.address.port}`];
  const haproxy = spawn(HAPROXY, ['-db', '-q', '-f', haproxySettings], { env: { ...process.env, HAPROXY_BIND, RELAY_A: place, RELAY_B: place }, stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => haproxy.kill());
  while (execFileSync('ss', ['-tlnH', `sport = :${FRONT_PORT}`], { encoding: 'utf8' }) === '') await sleep(POLL_MS);
}
const server = await TestServer.start((socket) => socket.write(Buffer.alloc(BODY_BYTES)));
// between client and who accepts it, so that it can stop reading
const far = new Socket();
const line = await listenLocally(createServer((near) => {
  far.connect(accepting, '127.0.0.1');
  near.pipe(far);
  far.on('data', (chunk) => void setTimeout(() => near.write(chunk), LINE_MS));
}));
const identity = await relay.client();
const secured = connectTls({ host: '127.0.0.1', port: portOf(line), rejectUnauthorized: false, ALPNProtocols: ['h2'], key: identity.keyPem, cert: identity.certificatePem });
const session = connectHttp2('https://relay', { createConnection: () => secured, settings: { initialWindowSize: BODY_BYTES } });
await once(session, 'remoteSettings');
session.setLocalWindowSize(2 * BODY_BYTES);
const control = openControl(session);
await answerOf(control.resume());
const { wireBytes: otherBytes } = sent(accepting);
const former = requestTunnel(session, `a.test:${server.port}`, IN_VIEW);
await answerOf(former);
let [formerBytes, urgentBytes, formerBytesBefore, marks] = [0, 0, 0, 0];
session.on('ping', () => (marks += urgentBytes === 0 ? 1 : 0));
former.on('data', (chunk: Buffer) => {
  formerBytes += chunk.length;
  if (urgentBytes === 0) formerBytesBefore = formerBytes;
});
while (formerBytes < WARM_BYTES) await sleep(POLL_MS);
far.pause();
await still(relay.address.port);
// its answer stands behind what is on the way; its bytes wait in the relay for their turn
const urgent = requestTunnel(session, `a.test:${server.port}`, IN_VIEW + 1);
urgent.on('data', (chunk: Buffer) => (urgentBytes += chunk.length));
while ((server.sockets[1]?.bytesWritten ?? 0) === 0) await sleep(POLL_MS);
const { unsentBytes } = await still(relay.address.port);
const { wireBytes } = sent(accepting);
// of what is no message the relay's log tells, so that the rank before it has been taken
control.write(`${JSON.stringify({ type: 'rank', ranks: [{ stream: urgent.id, level: LAYOUT }] })}\nno message\n`);
while (!relay.log.some(({ message }) => message === 'control refused')) await sleep(POLL_MS);
far.resume();
while (urgentBytes === 0) await sleep(POLL_MS);
// each turn is a frame
const comeBytes = formerBytesBefore + Math.ceil(formerBytesBefore / MAX_TURN_BYTES) * TURN_EXTRA_BYTES + marks * MARK_BYTES;
process.stdout.write(`${JSON.stringify({ unsentBytes, behindBytes: comeBytes - (wireBytes - otherBytes) })}\n`);
process.exit(0);
