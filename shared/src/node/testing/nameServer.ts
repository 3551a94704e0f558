import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Address } from '../../names/address.ts';

export const TYPE_A = 1;
export const TYPE_AAAA = 28;
export const V4 = Buffer.from([192, 0, 2, 1]);
export const V6 = Buffer.from('20010db8000000000000000000000001', 'hex');
export const V4_ADDRESS: Address = { address: '192.0.2.1', family: 4 };
export const V6_ADDRESS: Address = { address: '2001:db8::1', family: 6 };

/** Seconds that records live. */
const TTL_SECONDS: Readonly<Record<number, number>> = { [TYPE_A]: 60, [TYPE_AAAA]: 30 };
/** Of RFC 1035, section 4.1.1: a response, recursion desired and available; NXDOMAIN beside that. */
const [FOUND, NO_SUCH_NAME] = [0x8180, 0x8183];

/** Data of records by their type: empty where the host has none (NODATA), null where there is no such host. What is left out is never answered. */
export type NameAnswers = Readonly<Record<number, readonly Buffer[] | null>>;

/** The same by what is asked for. */
type AnswerTo = (name: string, type: number) => readonly Buffer[] | null | undefined;

export interface NameServerBehaviour {
  /** By default a free one, on loopback; a chosen one is there for other machines, too. */
  readonly port?: number;
  /** By default as long as records of the type. */
  readonly ttlSeconds?: number;
  readonly delayMs?: number;
  /** So many questions are lost. */
  readonly loses?: number;
  /** Told of each question, and from which port it comes. */
  readonly asked?: (port: number) => void;
}

/** A name server (RFC 1035, section 4), which answers each question with the records of its type. */
export class TestNameServer {
  /** ADDRESS:PORT. */
  readonly address: string;
  private readonly socket: Socket;
  private isClosed = false;

  private constructor(socket: Socket, answers: AnswerTo, { delayMs = 0, loses = 0, asked, ttlSeconds }: NameServerBehaviour) {
    this.socket = socket;
    this.address = `127.0.0.1:${socket.address().port}`;
    let lost = 0;
    socket.on('message', (question, { port, address }) => {
      asked?.(port);
      const answer = answerTo(question, answers, ttlSeconds);
      if (lost < loses) lost += 1;
      else if (answer !== null) setTimeout(() => this.isClosed || socket.send(answer, port, address), delayMs);
    });
  }

  static async start(answers: NameAnswers | AnswerTo, behaviour: NameServerBehaviour = {}): Promise<TestNameServer> {
    const socket = createSocket('udp4').bind(behaviour.port === undefined ? { port: 0, address: '127.0.0.1' } : { port: behaviour.port });
    await once(socket, 'listening');
    return new TestNameServer(socket, typeof answers === 'function' ? answers : (_, type) => answers[type], behaviour);
  }

  close(): void {
    this.isClosed = true;
    this.socket.close();
  }
}

function answerTo(question: Buffer, answers: AnswerTo, ttlSeconds?: number): Buffer | null {
  // header of 12 bytes, labels up to an empty one, type, class
  const nameEnd = question.indexOf(0, 12) + 1;
  const type = question.readUInt16BE(nameEnd);
  const records = answers(nameIn(question), type);
  if (records === undefined) return null;
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(records === null ? NO_SUCH_NAME : FOUND, 2);
  header.writeUInt16BE(records?.length ?? 0, 6);
  header.writeUInt32BE(0, 8);
  // the name of the question, class IN
  const body = (records ?? []).map((data) => Buffer.concat([Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, ttlSeconds ?? TTL_SECONDS[type] ?? 0, 0, data.length]), data]));
  return Buffer.concat([header, question.subarray(12, nameEnd + 4), ...body]);
}

/** In lower case. */
function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 12, length = question[at] ?? 0; length > 0; at += 1 + length, length = question[at] ?? 0) labels.push(question.toString('latin1', at + 1, at + 1 + length).toLowerCase());
  return labels.join('.');
}
