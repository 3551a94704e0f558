import type { LogSink } from '../../../shared/src/log.ts';
import type { LinkVerdict } from '../../../shared/src/scheduling/payoff.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
import type { NetworkStore } from './networkStore.ts';
import type { NetworkLook } from './systemNetwork.ts';

/** As often as for connections (networkWatch.ts). */
const LOOK_MS = 2_000;

export interface NetworkFollowerOptions {
  readonly look: NetworkLook;
  readonly store: Pick<NetworkStore, 'wasFast' | 'judged'>;
  /** The machine is in another network than when somebody has last asked. */
  readonly changed: () => void;
  readonly log: LogSink;
}

/** Knows what the network that the machine is in has been like, and learns it, from when somebody has asked. */
export class NetworkFollower {
  private readonly options: NetworkFollowerOptions;
  /** Of which it was asked; null for one that nothing tells from others. */
  private network: string | null = null;
  private watching: NodeJS.Timeout | undefined;

  constructor(options: NetworkFollowerOptions) {
    this.options = options;
  }

  /** Whether this network was fast lately and always; not where that can not be known. */
  wasFast(): boolean {
    const network = this.looked() ?? null;
    this.network = network;
    this.watching ??= setInterval(() => this.isInTheSame(), LOOK_MS).unref();
    return network !== null && this.tried('read', () => this.options.store.wasFast(network)) === true;
  }

  /** A page has shown what the link is like. Not learnt where the network is another one by now than it was asked of. */
  judged(verdict: LinkVerdict): void {
    const { network } = this;
    if (network !== null && this.isInTheSame()) this.tried('written', () => this.options.store.judged(network, verdict));
  }

  close(): void {
    clearInterval(this.watching);
  }

  private isInTheSame(): boolean {
    const network = this.looked();
    // nobody can tell for now; the next look does
    if (network === undefined) return false;
    if (network === this.network) return true;
    this.network = network;
    this.options.changed();
    return false;
  }

  /** Undefined where the machine can not be looked at, as it is asked for its interfaces on a socket: thrown by a timer it would end the helper. */
  private looked(): string | null | undefined {
    try {
      return this.options.look();
    } catch {
      return undefined;
    }
  }

  /** What can not be kept is not worth an error: a browser starts as in a network that is not known. */
  private tried<T>(done: 'read' | 'written', what: () => T): T | undefined {
    try {
      return what();
    } catch (error) {
      this.options.log({ level: 'warn', scope: 'networks', message: `the memory of networks could not be ${done}`, fields: { reason: reasonOf(error) } });
      return undefined;
    }
  }
}
