/**
 * What of a stream still comes when another one has become more urgent, over a connection whose reader has stopped for a while: run in a network namespace of its own (queue/lateBinding.test.ts). Prints the
 * bytes of the former stream that came after the new rank and before the first of the urgent one.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type ClientHttp2Session } from 'node:http2';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { TestRelay, answerOf, openControl, requestTunnel } from './testRelay.ts';
import { TestServer } from './testServer.ts';

const OFF_SCREEN = 6;
const IN_VIEW = 2;
const BODY_BYTES = 20_000_000;
/** Until all buffers on the way are full, and a message has come. */
const SETTLED_MS = 400;
const [notSentLowat = '', receiveBytes = ''] = process.argv.slice(2);

/** A socket whose reader can stop. */
class Gate extends Duplex {
  private isOpen = true;
  private readonly socket: TLSSocket;

  constructor(socket: TLSSocket) {
    super();
    this.socket = socket;
    socket.on('data', (chunk) => {
      if (!this.push(chunk)) socket.pause();
    });
    socket.once('close', () => this.destroy());
  }

  stop(): void {
    this.isOpen = false;
    this.socket.pause();
  }

  goOn(): void {
    this.isOpen = true;
    this.socket.resume();
  }

  override _read(): void {
    if (this.isOpen) this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.socket.write(chunk, callback);
  }
}

execFileSync('ip', ['link', 'set', 'lo', 'up']);
writeFileSync('/proc/sys/net/ipv4/tcp_notsent_lowat', notSentLowat);
writeFileSync('/proc/sys/net/ipv4/tcp_rmem', `4096 ${receiveBytes} ${receiveBytes}`);

const relay = await TestRelay.start();
const server = await TestServer.start((socket) => socket.write(Buffer.alloc(BODY_BYTES)));
const gate = new Gate(relay.tls(await relay.client()));
const session: ClientHttp2Session = connect('https://relay', { createConnection: () => gate, settings: { initialWindowSize: BODY_BYTES } });
await once(session, 'remoteSettings');
session.setLocalWindowSize(2 * BODY_BYTES);
const control = openControl(session);
await answerOf(control.resume());

const [former, urgent] = [requestTunnel(session, `a.test:${server.port}`, OFF_SCREEN), requestTunnel(session, `a.test:${server.port}`, OFF_SCREEN)];
await Promise.all([answerOf(former), answerOf(urgent)]);
let formerBytes = 0;
former.on('data', (chunk: Buffer) => (formerBytes += chunk.length));
// what it has brought before the new rank does not count
urgent.resume();
while (formerBytes === 0) await sleep(1);
gate.stop();
await sleep(SETTLED_MS);
control.write(`${JSON.stringify({ type: 'rank', ranks: [{ stream: urgent.id, level: IN_VIEW }] })}\n`);
await sleep(SETTLED_MS);
const before = formerBytes;
const come = once(urgent, 'data');
gate.goOn();
await come;
process.stdout.write(`${JSON.stringify({ formerBytes: formerBytes - before })}\n`);
process.exit(0);
