import { join } from 'node:path';
import { EXECUTABLE_MODE } from '../../helper/src/cli/installedFiles.ts';
import { relayLauncherText } from '../../helper/src/cli/relaySetup/relayLauncher.ts';
import { DEFAULT_RELAY_PORT, relayUnitFiles } from '../../helper/src/cli/relaySetup/relayUnits.ts';
import { RELAY_LINE } from './commandLines.ts';
import { PackageTree, type DebianContent } from './packageTree.ts';
import { layOutLibraries } from './relayLibraries.ts';
import { relayManPage } from './relayManPage.ts';

const { program: PROGRAM } = RELAY_LINE;
const LIBRARY = `lib/${PROGRAM}`;

/** Lays out the files of the relay's Debian package. @param root an empty directory */
export function layOutRelayTree(root: string, content: DebianContent): void {
  const tree = new PackageTree(root);
  tree.addProgram(RELAY_LINE, content, `${LIBRARY}/${PROGRAM}`);
  layOutLibraries(content.libraries, join(root, 'usr', LIBRARY));
  tree.write(`usr/${LIBRARY}/launch`, relayLauncherText(), EXECUTABLE_MODE);
  const units = relayUnitFiles({ scope: 'system', executable: `/usr/${LIBRARY}/${PROGRAM}`, launcher: `/usr/${LIBRARY}/launch`, directory: `/var/lib/${PROGRAM}`, port: DEFAULT_RELAY_PORT, makesKey: true });
  for (const { name, text } of units) tree.write(`lib/systemd/system/${name}`, text);
  tree.addDocuments(PROGRAM, RELAY_LINE, relayManPage, content);
}
