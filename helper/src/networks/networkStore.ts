import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { LinkVerdict } from '../../../shared/src/scheduling/payoff.ts';
import { PRIVATE_DIRECTORY_MODE, PRIVATE_FILE_MODE, readIfPresent, tracesOf, versionOf, writeAtomically } from '../files.ts';
import { KnownNetworksSchema, recent, wasFast, withVerdict, type KnownNetworks } from './knownNetworks.ts';

const VERSION = 1;
const FileSchema = v.strictObject({ version: v.literal(VERSION), networks: KnownNetworksSchema });

const SECRET_BYTES = 32;
/** Of a name: as many hexadecimal digits as 128 bits have. */
const KEY_DIGITS = 32;

/** What is kept of networks, in the directory of the memory. */
function filesIn(directory: string): { readonly networks: string; readonly secret: string } {
  return { networks: join(directory, 'networks.json'), secret: join(directory, 'networks.secret') };
}

/** All that is kept of networks in a directory, with what a crash has left of it. */
export function networkFiles(directory: string): string[] {
  return Object.values(filesIn(directory)).flatMap(tracesOf);
}

/** Erases it, under helpers that run, too. @throws Error when a file can not be removed */
export function forgetNetworks(directory: string): void {
  for (const file of networkFiles(directory)) rmSync(file, { force: true });
}

/**
 * The memory of networks on disk. A network is named by a hash with a secret of this directory: the file alone does not
 * tell which ones they are, nor whether another machine has been there. Read anew each time, a few times a page at most,
 * so that what is erased is erased for all helpers.
 */
export class NetworkStore {
  private readonly directory: string;
  private readonly files: ReturnType<typeof filesIn>;

  constructor(directory: string) {
    [this.directory, this.files] = [directory, filesIn(directory)];
  }

  /** Whether a network was fast lately and always. @throws Error when the files can not be read */
  wasFast(network: string): boolean {
    const secret = this.readSecret();
    return secret !== null && wasFast(this.read(), keyOf(network, secret), Date.now());
  }

  /** A page has shown what the link is like there. @throws Error when the files can not be written */
  judged(network: string, verdict: LinkVerdict): void {
    const secret = this.readSecret();
    // of a network that was slow nothing is kept
    if (secret === null && verdict === 'slow') return;
    this.change((networks) => withVerdict(networks, keyOf(network, secret ?? this.makeSecret()), verdict, Date.now()));
  }

  /** Erases from the file what has become too old. @throws as `judged` */
  expire(): void {
    this.change((networks) => recent(networks, Date.now()));
  }

  private change(to: (networks: KnownNetworks) => KnownNetworks): void {
    const version = versionOf(this.files.networks);
    const before = this.read();
    const networks = to(before);
    if (JSON.stringify(networks) === JSON.stringify(before)) return;
    // what another helper has erased or written meanwhile stays so: a page that is not counted is no loss
    this.write(this.files.networks, JSON.stringify({ version: VERSION, networks }), () => versionOf(this.files.networks) === version);
  }

  /** A file that is not ours, or broken, is worth no more than to be written anew. */
  private read(): KnownNetworks {
    const text = readIfPresent(this.files.networks);
    try {
      const read = v.safeParse(FileSchema, JSON.parse(text ?? 'null'));
      return read.success ? read.output.networks : [];
    } catch {
      return [];
    }
  }

  /** One that is not whole is none: what was named with another one is not found, and expires. */
  private readSecret(): string | null {
    const secret = readIfPresent(this.files.secret);
    return secret?.length === 2 * SECRET_BYTES ? secret : null;
  }

  private makeSecret(): string {
    const secret = randomBytes(SECRET_BYTES).toString('hex');
    this.write(this.files.secret, secret);
    return secret;
  }

  private write(file: string, content: string, mayReplace?: () => boolean): void {
    mkdirSync(this.directory, { recursive: true, mode: PRIVATE_DIRECTORY_MODE });
    writeAtomically(file, content, PRIVATE_FILE_MODE, mayReplace);
  }
}

function keyOf(network: string, secret: string): string {
  return createHmac('sha256', secret).update(network).digest('hex').slice(0, KEY_DIGITS);
}
