import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXECUTABLE_MODE } from '../../helper/src/cli/installedFiles.ts';
import { relayLauncherText } from '../../helper/src/cli/relaySetup/relayLauncher.ts';
import { DEFAULT_RELAY_PORT, relayUnitFiles } from '../../helper/src/cli/relaySetup/relayUnits.ts';
import { RELAY_LINE } from './commandLines.ts';
import { bashCompletion, fishCompletion, zshCompletion } from './completions.ts';
import type { DebianContent } from './debianTree.ts';
import { layOutLibraries } from './relayLibraries.ts';
import { relayManPage } from './relayManPage.ts';

const FILE_MODE = 0o644;
const PROGRAM = 'firstscreen-relay';
const LIBRARY = `usr/lib/${PROGRAM}`;
const MS_PER_SECOND = 1000;

/** Lays out the files of the relay's Debian package as they will be installed. @param tree an empty directory */
export function layOutRelayTree(tree: string, { version, executable, libraries, notices, epochSeconds }: DebianContent): void {
  const inTree = (path: string): string => {
    const place = join(tree, path);
    mkdirSync(dirname(place), { recursive: true });
    return place;
  };
  // not by the mode of open(), which is cut by the umask
  const write = (path: string, content: string, mode = FILE_MODE): void => {
    writeFileSync(inTree(path), content);
    chmodSync(inTree(path), mode);
  };
  copyFileSync(executable, inTree(`${LIBRARY}/${PROGRAM}`));
  chmodSync(inTree(`${LIBRARY}/${PROGRAM}`), EXECUTABLE_MODE);
  layOutLibraries(libraries, join(tree, LIBRARY));
  write(`${LIBRARY}/launch`, relayLauncherText(), EXECUTABLE_MODE);
  const units = relayUnitFiles({ scope: 'system', executable: `/${LIBRARY}/${PROGRAM}`, launcher: `/${LIBRARY}/launch`, directory: `/var/lib/${PROGRAM}`, port: DEFAULT_RELAY_PORT, makesKey: true });
  for (const { name, text } of units) write(`lib/systemd/system/${name}`, text);
  symlinkSync(`../lib/${PROGRAM}/${PROGRAM}`, inTree(`usr/bin/${PROGRAM}`));
  write(`usr/share/man/man1/${PROGRAM}.1`, relayManPage(version, new Date(epochSeconds * MS_PER_SECOND).toISOString().slice(0, 10)));
  write(`usr/share/bash-completion/completions/${PROGRAM}`, bashCompletion(RELAY_LINE));
  write(`usr/share/zsh/vendor-completions/_${PROGRAM}`, zshCompletion(RELAY_LINE));
  write(`usr/share/fish/vendor_completions.d/${PROGRAM}.fish`, fishCompletion(RELAY_LINE));
  write(`usr/share/doc/${PROGRAM}/third-party-notices.txt`, notices);
}
