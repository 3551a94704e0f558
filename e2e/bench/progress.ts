import type { WorkerMessage } from './workerMessages.ts';

/** Tells on stderr what is being loaded and how much time is left. */
export class Progress {
  readonly #totalPairs: number;
  readonly #loadsPerPair: number;
  readonly #deadlineMs: number | null;
  readonly #startedMs = Date.now();
  readonly #write: (text: string) => void;
  #pairsDone = 0;
  #loadsDone = 0;

  constructor(totalPairs: number, loadsPerPair: number, budgetMs: number | null, write: (text: string) => void) {
    this.#totalPairs = totalPairs;
    this.#loadsPerPair = loadsPerPair;
    this.#deadlineMs = budgetMs === null ? null : this.#startedMs + budgetMs;
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
        break;
      default:
        break;
    }
  }

  #timeLeft(): string {
    const now = Date.now();
    const perLoad = (now - this.#startedMs) / this.#loadsDone;
    const all = perLoad * (this.#totalPairs * this.#loadsPerPair - this.#loadsDone);
    const leftMs = Math.max(0, this.#deadlineMs === null ? all : Math.min(all, this.#deadlineMs - now));
    return `, ${leftMs >= 90_000 ? `${Math.round(leftMs / 60_000)} min` : `${Math.round(leftMs / 1_000)} s`} left`;
  }
}
