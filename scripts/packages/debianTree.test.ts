import { chmodSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { filesIn } from '../../helper/src/cli/managedExtension.ts';
import { layOutTree } from './debianTree.ts';

let directory: string;
let tree: string;
beforeEach(() => {
  directory = temporaryDirectory();
  tree = join(directory, 'tree');
  const executable = join(directory, 'executable');
  writeFileSync(executable, 'ELF');
  chmodSync(executable, 0o700);
  const umask = process.umask(0o077);
  try {
    layOutTree(tree, { version: '1.2.3', executable, libraries: [], notices: 'notices', epochSeconds: 1_795_660_000 });
  } finally {
    process.umask(umask);
  }
});

const modeOf = (path: string): string => (statSync(join(tree, path)).mode & 0o777).toString(8);

it('lays out what is installed, for everybody to read, whatever the umask', () => {
  expect(filesIn(tree).map(({ name }) => `${modeOf(name)} ${name}`).sort()).toEqual(
    [
      '755 usr/lib/firstscreen/firstscreen-helper',
      '755 usr/lib/firstscreen/firstscreen-helper.bin',
      '644 usr/lib/firstscreen/install.json',
      ...['chromium', 'opt/chrome', 'opt/edge'].map((name) => `644 etc/${name}/native-messaging-hosts/org.firstscreen.helper.json`),
      '644 usr/lib/mozilla/native-messaging-hosts/org.firstscreen.helper.json',
      '644 usr/share/bash-completion/completions/firstscreen-helper',
      '644 usr/share/doc/firstscreen/third-party-notices.txt',
      '644 usr/share/fish/vendor_completions.d/firstscreen-helper.fish',
      '644 usr/share/man/man1/firstscreen-helper.1',
      '644 usr/share/zsh/vendor-completions/_firstscreen-helper',
    ].sort(),
  );
});

it('has the program in the path, and manifests that start what is there', () => {
  expect(realpathSync(join(tree, 'usr/bin/firstscreen-helper'))).toBe(realpathSync(join(tree, 'usr/lib/firstscreen/firstscreen-helper.bin')));
  const { path } = JSON.parse(readFileSync(join(tree, 'etc/opt/chrome/native-messaging-hosts/org.firstscreen.helper.json'), 'utf8')) as { path: string };
  expect(modeOf(path)).toBe('755');
  expect(readFileSync(join(tree, path), 'utf8')).toContain("'/usr/lib/firstscreen/firstscreen-helper.bin' host \"$@\"");
});

it('is dated by the release', () => {
  expect(readFileSync(join(tree, 'usr/share/man/man1/firstscreen-helper.1'), 'utf8')).toContain('"2026-11-26" "Firstscreen 1.2.3"');
});
