import type { WorkerMessage } from './workerMessages.ts';

/** Tells on stderr what is being loaded and how much time is left. */
export class Progress {
  readonly #totalPairs: number;
  readonly #loadsPerPair: number;
  readonly #deadlineMs: number | null;
  readonly #startedMs: number;
  readonly #write: (text: string) => void;
  readonly #now: () => number;
  #pairsDone = 0;
  /** Of the pair under way. */
  #loadsDone = 0;

  /** @param now milliseconds of one clock */
  constructor(totalPairs: number, loadsPerPair: number, limitMs: number | null, write: (text: string) => void, now = Date.now) {
    this.#totalPairs = totalPairs;
    this.#loadsPerPair = loadsPerPair;
    this.#now = now;
    this.#startedMs = now();
    this.#deadlineMs = limitMs === null ? null : this.#startedMs + limitMs;
    this.#write = write;
  }

  take(message: WorkerMessage): void {
    switch (message.type) {
      case 'load': {
        this.#loadsDone++;
        const { page, scheme, run, isrtMs, failed } = message.load;
        const outcome = failed === null ? `ISRT ${Math.round(isrtMs ?? 0)} ms` : `failed: ${failed} (${message.load.failure ?? ''})`;
        this.#write(`[${this.#pairsDone}/${this.#totalPairs} pairs${this.#timeLeft()}] ${page} round ${run} ${scheme}: ${outcome}\n`);
        break;
      }
      case 'pageError':
        this.#write(`${message.page}: ${message.code} ${message.message}. ${message.next}\n`);
        break;
      case 'pairDone':
        this.#pairsDone++;
        this.#loadsDone = 0;
        break;
      default:
        break;
    }
  }

  /** By pairs, as failed loads are tried again and pairs with them take longer. */
  #timeLeft(): string {
    const now = this.#now();
    const pairsDone = this.#pairsDone + Math.min(1, this.#loadsDone / this.#loadsPerPair);
    const all = ((now - this.#startedMs) / pairsDone) * (this.#totalPairs - pairsDone);
    const leftMs = Math.max(0, this.#deadlineMs === null ? all : Math.min(all, this.#deadlineMs - now));
    return `, ${leftMs >= 90_000 ? `${Math.round(leftMs / 60_000)} min` : `${Math.round(leftMs / 1_000)} s`} left`;
  }
}
