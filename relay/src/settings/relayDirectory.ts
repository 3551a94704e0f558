import { chmodSync, closeSync, existsSync, fchownSync, mkdirSync, openSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { Identity } from '../../../shared/src/relay/identity.ts';
import { parseProxySettings, type ProxySettings } from '../proxy/proxySettings.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
import { parseSettings, type RelaySettings } from './relaySettings.ts';
import { parseServingNote, type ServingNote } from './servingNote.ts';

const DIRECTORY_MODE = 0o700;
const KEY_MODE = 0o600;
const FILE_MODE = 0o600;
const NOTE = 'serving.json';
const PROXY = 'proxy.json';
const BITS_OF_OTHERS = 0o077;
/** How soon a change is seen. Looked at again and again: watches of the kernel lose a file that is replaced. */
const LOOK_MS = 1_000;

/** The files of a relay, which only its user may read. */
export class RelayDirectory {
  private readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** @throws FirstscreenError E_RELAY_SETTINGS where a relay is already, or something else that others may enter, or nothing can be made */
  create({ keyPem, certificatePem }: Identity, settings: RelaySettings): void {
    try {
      mkdirSync(this.path, { recursive: true, mode: DIRECTORY_MODE });
      // what has something in it may be others', as /etc is
      if (readdirSync(this.path).length === 0) chmodSync(this.path, DIRECTORY_MODE);
      else if ((statSync(this.path).mode & BITS_OF_OTHERS) !== 0) throw new FirstscreenError('E_RELAY_SETTINGS', 'There is something else in this directory, and other users may enter it.', 'Take a directory that is not there yet.');
      for (const [name, text, mode] of [['key.pem', keyPem, KEY_MODE], ['certificate.pem', certificatePem, FILE_MODE], ['relay.json', settingsText(settings), FILE_MODE]] as const) {
        writeFileSync(this.at(name), text, { flag: 'wx', mode });
      }
    } catch (cause) {
      if (cause instanceof FirstscreenError) throw cause;
      if (reasonOf(cause) !== 'EEXIST') throw unusable('can not be made', cause);
      throw new FirstscreenError('E_RELAY_SETTINGS', 'There is a relay in this directory already.', 'Take another directory, or remove this one with the key that its clients know.', { cause });
    }
  }

  /** @throws FirstscreenError E_RELAY_SETTINGS */
  settings(): RelaySettings {
    return parseSettings(this.read('relay.json'));
  }

  /** @throws FirstscreenError E_RELAY_SETTINGS */
  certificate(): string {
    return this.read('certificate.pem');
  }

  /** @throws FirstscreenError E_RELAY_SETTINGS, also for a key that others may read */
  key(): string {
    const text = this.read('key.pem');
    if ((statSync(this.at('key.pem')).mode & BITS_OF_OTHERS) === 0) return text;
    throw new FirstscreenError('E_RELAY_SETTINGS', 'Other users may read key.pem.', 'Make it yours alone (chmod 600), or make another relay if somebody has read it.');
  }

  /** As it was or as it is now, for whoever reads it meanwhile. @throws FirstscreenError E_RELAY_SETTINGS */
  write(settings: RelaySettings): void {
    this.replace('relay.json', settingsText(settings));
  }

  /** Null where it is no proxy of browsers. @throws FirstscreenError E_RELAY_SETTINGS */
  proxySettings(): ProxySettings | null {
    return existsSync(this.at(PROXY)) ? parseProxySettings(this.read(PROXY)) : null;
  }

  /** @param settings null for no proxy any more @throws FirstscreenError E_RELAY_SETTINGS */
  writeProxy(settings: ProxySettings | null): void {
    if (settings === null) rmSync(this.at(PROXY), { force: true });
    else this.replace(PROXY, settingsText(settings));
  }

  /** What the running relay has written; null without one. */
  note(): ServingNote | null {
    try {
      return parseServingNote(readFileSync(this.at(NOTE), 'utf8'));
    } catch {
      return null;
    }
  }

  /** @throws FirstscreenError E_RELAY_SETTINGS */
  writeNote(note: ServingNote): void {
    this.replace(NOTE, `${JSON.stringify(note)}\n`);
  }

  removeNote(): void {
    rmSync(this.at(NOTE), { force: true });
  }

  /** @param name whose change is told @returns takes it back */
  onChange(changed: () => void, name: 'relay.json' | typeof PROXY = 'relay.json'): () => void {
    const path = this.at(name);
    // now, and not when a thread has time for it, as with watchFile: a change before that would be none
    let before = versionOf(path);
    const looking = setInterval(() => {
      const now = versionOf(path);
      if (now === before) return;
      before = now;
      changed();
    }, LOOK_MS);
    return () => clearInterval(looking);
  }

  private replace(name: string, text: string): void {
    const temporary = `${this.at(name)}.${process.pid}.tmp`;
    try {
      // "wx": root follows no link that the relay's own account may have laid
      rmSync(temporary, { force: true });
      const file = openSync(temporary, 'wx', FILE_MODE);
      try {
        writeFileSync(file, text, { flush: true });
        if (process.getuid?.() === 0) giveToOwnerOf(this.path, file);
      } finally {
        closeSync(file);
      }
      renameSync(temporary, this.at(name));
    } catch (cause) {
      rmSync(temporary, { force: true });
      throw unusable('can not be written', cause);
    }
  }

  private read(name: string): string {
    try {
      return readFileSync(this.at(name), 'utf8');
    } catch (cause) {
      throw unusable(`has no ${name} that can be read`, cause);
    }
  }

  private at(name: string): string {
    return join(this.path, name);
  }
}

/** Another one after each change; of a file that is not there, or that may not be looked at, always the same. */
function versionOf(path: string): string {
  try {
    const { ino, mtimeMs } = statSync(path);
    return `${ino} ${mtimeMs}`;
  } catch {
    return '';
  }
}

/** What root writes into the directory of another account is that account's, which runs the relay. */
function giveToOwnerOf(directory: string, file: number): void {
  const { uid, gid } = statSync(directory);
  fchownSync(file, uid, gid);
}

function settingsText(settings: RelaySettings | ProxySettings): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}

function unusable(what: string, cause: unknown): FirstscreenError {
  return new FirstscreenError('E_RELAY_SETTINGS', `The relay's directory ${what} (${reasonOf(cause)}).`, 'Name the directory that "firstscreen-relay init" has made, as its owner.', { cause });
}
