import { chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { createIdentity } from '../../../shared/src/relay/identity.ts';
import { RelayDirectory } from './relayDirectory.ts';
import { newSettings, withClient } from './relaySettings.ts';

const FINGERPRINT = 'a'.repeat(43);
const ANOTHER = 54_321;
const isRoot = process.getuid?.() === 0;

let base: string;
let path: string;
let directory: RelayDirectory;
beforeEach(async () => {
  base = temporaryDirectory();
  path = join(base, 'relay');
  directory = new RelayDirectory(path);
  directory.create(await createIdentity('relay', new Date()), newSettings('127.0.0.1:4433'));
});

const addClient = (): void => directory.write(withClient(directory.settings(), 'laptop', FINGERPRINT));

it('is written without anything left beside it', () => {
  addClient();
  expect(directory.settings().clients).toEqual([{ name: 'laptop', fingerprint: FINGERPRINT }]);
  expect(readdirSync(path).sort()).toEqual(['certificate.pem', 'key.pem', 'relay.json']);
});

it('keeps what the running relay says, for as long as it runs', () => {
  const note = { pid: 7, release: '1.2.3', port: 4433, proxyPort: 8443, lowatBytes: null, congestion: 'bbr' };
  expect(directory.note()).toBeNull();
  directory.writeNote(note);
  expect([directory.note(), statSync(join(path, 'serving.json')).mode & 0o777]).toEqual([note, 0o600]);
  directory.removeNote();
  expect(directory.note()).toBeNull();
});

it('tells of a change where its settings are links, as several relays have them (kubernetes.yaml)', async () => {
  const place = (name: string): string => join(base, name);
  for (const name of ['first', 'second']) {
    mkdirSync(place(name));
    copyFileSync(join(path, 'relay.json'), join(place(name), 'relay.json'));
  }
  // as a kubelet lays out a secret, and changes it
  symlinkSync('first', place('data'));
  rmSync(join(path, 'relay.json'));
  symlinkSync(place('data/relay.json'), join(path, 'relay.json'));
  const changed = Promise.withResolvers<null>();
  const unwatch = directory.onChange(() => changed.resolve(null));
  symlinkSync('second', place('next'));
  renameSync(place('next'), place('data'));
  await changed.promise;
  unwatch();
});

describe.skipIf(!isRoot)('of another account, written by root (needs root)', () => {
  it('stays that account\'s', () => {
    chownSync(path, ANOTHER, ANOTHER);
    addClient();
    const { uid, gid, mode } = statSync(join(path, 'relay.json'));
    expect([uid, gid, mode & 0o777]).toEqual([ANOTHER, ANOTHER, 0o600]);
  });

  it('leads root by no link to another file', () => {
    symlinkSync(join(base, 'victim'), join(path, `relay.json.${process.pid}.tmp`));
    addClient();
    expect(existsSync(join(base, 'victim'))).toBe(false);
    expect(directory.settings().clients).toHaveLength(1);
  });
});
