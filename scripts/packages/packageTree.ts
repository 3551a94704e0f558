import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXECUTABLE_MODE } from '../../helper/src/cli/installedFiles.ts';
import { bashCompletion, fishCompletion, zshCompletion, type CommandLine } from './completions.ts';
import type { LibraryFile } from './relayLibraries.ts';

const FILE_MODE = 0o644;
const MS_PER_SECOND = 1000;

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

/** The files of a Debian package as they will be installed. */
export class PackageTree {
  private readonly root: string;

  /** @param root an empty directory */
  constructor(root: string) {
    this.root = root;
  }

  write(path: string, content: string | Buffer, mode = FILE_MODE): void {
    const place = this.placeOf(path);
    writeFileSync(place, content);
    // not by the mode of open(), which is cut by the umask
    chmodSync(place, mode);
  }

  /** Puts the program where it is installed, and into the PATH. @param path of it below /usr */
  addProgram({ program }: CommandLine, { executable }: DebianContent, path: string): void {
    const place = this.placeOf(`usr/${path}`);
    copyFileSync(executable, place);
    chmodSync(place, EXECUTABLE_MODE);
    symlinkSync(`../${path}`, this.placeOf(`usr/bin/${program}`));
  }

  /** Manual page, completions and notices. @param name of the package */
  addDocuments(name: string, line: CommandLine, manPage: (version: string, date: string) => string, { version, epochSeconds, notices }: DebianContent): void {
    const { program } = line;
    this.write(`usr/share/man/man1/${program}.1`, manPage(version, new Date(epochSeconds * MS_PER_SECOND).toISOString().slice(0, 10)));
    this.write(`usr/share/bash-completion/completions/${program}`, bashCompletion(line));
    this.write(`usr/share/zsh/vendor-completions/_${program}`, zshCompletion(line));
    this.write(`usr/share/fish/vendor_completions.d/${program}.fish`, fishCompletion(line));
    this.write(`usr/share/doc/${name}/third-party-notices.txt`, notices);
  }

  private placeOf(path: string): string {
    const place = join(this.root, path);
    mkdirSync(dirname(place), { recursive: true });
    return place;
  }
}
