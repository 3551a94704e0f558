import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXECUTABLE_MODE } from '../../helper/src/cli/installedFiles.ts';
import { layoutOf } from '../../helper/src/cli/layout.ts';
import type { Machine } from '../../helper/src/cli/machine.ts';
import { packageFiles } from '../../helper/src/cli/packageFiles.ts';
import { HELPER_LINE } from './commandLines.ts';
import { bashCompletion, fishCompletion, zshCompletion } from './completions.ts';
import { manPage } from './manPage.ts';
import type { LibraryFile } from './relayLibraries.ts';

const FILE_MODE = 0o644;
const PROGRAM = 'firstscreen-helper';
const MS_PER_SECOND = 1000;

/** Any machine that the package is installed on: what is in a package depends on none. */
const TARGET: Machine = { platform: 'linux', root: '/', home: '/nonexistent', env: {}, isRoot: true };

export interface DebianContent {
  readonly version: string;
  readonly executable: string;
  /** What lies beside it; the helper has nothing. */
  readonly libraries: readonly LibraryFile[];
  /** Of all that is inside the executable, and beside it. */
  readonly notices: string;
  /** When the release was made, in seconds since 1970. */
  readonly epochSeconds: number;
}

/** Lays out the files of the Debian package as they will be installed. @param tree an empty directory */
export function layOutTree(tree: string, { version, executable, notices, epochSeconds }: DebianContent): void {
  const layout = layoutOf('package', TARGET);
  const inTree = (path: string): string => {
    const place = join(tree, path);
    mkdirSync(dirname(place), { recursive: true });
    return place;
  };
  // not by the mode of open(), which is cut by the umask
  const write = (path: string, content: string | Buffer, mode = FILE_MODE): void => {
    writeFileSync(inTree(path), content);
    chmodSync(inTree(path), mode);
  };
  copyFileSync(executable, inTree(layout.executable));
  chmodSync(inTree(layout.executable), EXECUTABLE_MODE);
  for (const { path, content, mode } of packageFiles(TARGET)) write(path, content, mode);
  symlinkSync(`..${layout.executable.slice('/usr'.length)}`, inTree(`usr/bin/${PROGRAM}`));
  write(`usr/share/man/man1/${PROGRAM}.1`, manPage(version, new Date(epochSeconds * MS_PER_SECOND).toISOString().slice(0, 10)));
  write(`usr/share/bash-completion/completions/${PROGRAM}`, bashCompletion(HELPER_LINE));
  write(`usr/share/zsh/vendor-completions/_${PROGRAM}`, zshCompletion(HELPER_LINE));
  write(`usr/share/fish/vendor_completions.d/${PROGRAM}.fish`, fishCompletion(HELPER_LINE));
  write('usr/share/doc/firstscreen/third-party-notices.txt', notices);
}
