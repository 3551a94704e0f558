import { layoutOf } from '../../helper/src/cli/layout.ts';
import type { Machine } from '../../helper/src/cli/machine.ts';
import { packageFiles } from '../../helper/src/cli/packageFiles.ts';
import { HELPER_LINE } from './commandLines.ts';
import { manPage } from './manPage.ts';
import { PackageTree, type DebianContent } from './packageTree.ts';

/** Any machine that the package is installed on: what is in a package depends on none. */
const TARGET: Machine = { platform: 'linux', root: '/', home: '/nonexistent', env: {}, isRoot: true };

/** Lays out the files of the helper's Debian package. @param root an empty directory */
export function layOutTree(root: string, content: DebianContent): void {
  const tree = new PackageTree(root);
  tree.addProgram(HELPER_LINE, content, layoutOf('package', TARGET).executable.slice('/usr/'.length));
  for (const file of packageFiles(TARGET)) tree.write(file.path, file.content, file.mode);
  tree.addDocuments('firstscreen', HELPER_LINE, manPage, content);
}
