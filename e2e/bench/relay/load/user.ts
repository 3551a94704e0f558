import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Identity } from '../../../../shared/src/relay/identity.ts';
import { CONTROL_AUTHORITY, CONTROL_PATH, LEVEL_FIELD } from '../../../../shared/src/relay/wire.ts';
import type { Random } from '../../../../shared/src/statistics/random.ts';
import { loadPage, type ObjectTime, type OpenWay } from './page.ts';

/** As the helper's (helper/src/relay/relayConnection.ts). */
const [STREAM_WINDOW_BYTES, SESSION_WINDOW_BYTES] = [1024 * 1024, 16 * 1024 * 1024];
const IN_VIEW = 2;
const STATUS_OK = 200;

export interface Places {
  readonly relay: { readonly host: string; readonly port: number };
  readonly origin: { readonly host: string; readonly port: number };
}

/** What a user has done. */
export interface Visits {
  pages: number;
  /** Pages that were not whole. */
  failed: number;
  readonly times: ObjectTime[];
}

/** A user of the relay: a carrier as a helper has it, and pages of which each object is also asked for directly. */
export class User {
  readonly visits: Visits = { pages: 0, failed: 0, times: [] };
  private readonly session: ClientHttp2Session;
  private readonly places: Places;
  private readonly random: Random;

  private constructor(session: ClientHttp2Session, places: Places, random: Random) {
    [this.session, this.places, this.random] = [session, places, random];
  }

  /** Settles when the relay has said hello. @param localAddress of the user, by which HAProxy sticks */
  static async connect({ certificatePem, keyPem }: Identity, places: Places, random: Random, localAddress: string): Promise<User> {
    const tcp = connect({ ...places.relay, localAddress, noDelay: true });
    const socket = connectTls({ socket: tcp, cert: certificatePem, key: keyPem, minVersion: 'TLSv1.3', ALPNProtocols: ['h2'], rejectUnauthorized: false });
    const session = connectHttp2('https://relay', { createConnection: () => socket, settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES } });
    session.on('error', () => undefined);
    await once(session, 'remoteSettings');
    session.setLocalWindowSize(SESSION_WINDOW_BYTES);
    const control = session.request({ ':method': 'POST', ':scheme': 'https', ':authority': CONTROL_AUTHORITY, ':path': CONTROL_PATH }, { endStream: false });
    control.on('error', () => undefined);
    await once(control, 'data');
    control.resume();
    return new User(session, places, random);
  }

  /** Reads one page after the other until a moment. @param thinkMs in the mean, exponentially, as people come */
  async read(thinkMs: number, untilMs: number): Promise<void> {
    for (;;) {
      const pauseMs = -Math.log(1 - this.random()) * thinkMs;
      if (performance.now() + pauseMs >= untilMs) return;
      await sleep(pauseMs);
      try {
        this.visits.times.push(...(await loadPage({ relayed: () => this.relayed(), direct: () => this.direct() }, this.random)));
        this.visits.pages += 1;
      } catch {
        this.visits.failed += 1;
      }
    }
  }

  close(): void {
    this.session.destroy();
  }

  private async relayed(): Promise<OpenWay> {
    const { host, port } = this.places.origin;
    const stream = this.session.request({ ':method': 'CONNECT', ':authority': `${host}:${port}`, [LEVEL_FIELD]: IN_VIEW }, { endStream: false });
    stream.on('error', () => undefined);
    const [{ ':status': status }] = (await once(stream, 'response')) as [IncomingHttpHeaders & { readonly ':status'?: number }];
    if (status !== STATUS_OK) throw new Error(`the relay has said ${status}`);
    return { way: stream, close: () => stream.close() };
  }

  private async direct(): Promise<OpenWay> {
    const socket = connect({ ...this.places.origin, noDelay: true });
    await once(socket, 'connect');
    return { way: socket.on('error', () => undefined), close: () => void socket.destroy() };
  }
}
