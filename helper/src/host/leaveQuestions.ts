import { PROTOCOL_VERSION, type HelperMessageOf } from '../../../shared/src/protocol/native.ts';

/** A request of the browser waits for it; without an answer it gets an error of ours. */
const ANSWER_LIMIT_MS = 1_000;

/** The helper's own questions: asks the extension to have the browser go to a host itself. Ids are the helper's own, apart from the extension's. */
export class LeaveQuestions {
  private readonly send: (message: HelperMessageOf<'leave'>) => void;
  private readonly open = new Map<number, (done: boolean) => void>();
  private nextId = 1;

  constructor(send: (message: HelperMessageOf<'leave'>) => void) {
    this.send = send;
  }

  /** @returns whether the browser goes there itself from now on */
  leave(host: string): Promise<boolean> {
    const id = this.nextId++;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.open.set(id, resolve);
    setTimeout(() => this.answered(id, false), ANSWER_LIMIT_MS);
    this.send({ v: PROTOCOL_VERSION, id, type: 'leave', payload: { host } });
    return promise;
  }

  /** An answer to nothing that is open is passed over: it came too late. */
  answered(id: number, done: boolean): void {
    this.open.get(id)?.(done);
    this.open.delete(id);
  }
}
