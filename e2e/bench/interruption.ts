import type { RunningTestbed } from './testbedProcess.ts';

/** The first signal asks the test bed under way to finish, and that no other be begun; the second ends it at once. */
export class Interruption {
  asked = false;
  #running: RunningTestbed | null = null;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (this.asked) this.#running?.kill();
        else this.#running?.stop();
        this.asked = true;
      });
    }
  }

  watch(testbed: RunningTestbed): void {
    this.#running = testbed;
    // what was asked while it was prepared
    if (this.asked) testbed.stop();
  }
}
