import { chmodSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { EXECUTABLE_MODE } from '../../helper/src/cli/installedFiles.ts';
import { NODE_OPTIONS } from '../../helper/src/cli/launcher.ts';
import { EXTENSION_ASSETS, filesIn } from '../../helper/src/cli/managedExtension.ts';
import { runTool } from './runTool.ts';

/** The name under which Node looks for what is inside, and the mark in its program that says whether there is something (nodejs.org, "Single executable applications"). */
const RESOURCE = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Programs that are made into executables. */
export type PackagedProgram = 'firstscreen-helper' | 'firstscreen-relay';

/**
 * What goes into every executable: the program as one CommonJS file, which is what Node 24 runs from inside, and with the
 * helper the extension for `install --policy`. It has neither code cache nor snapshot, so it is the same for every
 * architecture and every build.
 *
 * @param work a directory for what is made of it
 * @returns the file to put inside
 */
export function makeBlob(program: PackagedProgram, root: string, work: string): string {
  const [bundle, blob] = [`${program}.cjs`, `${program}.blob`];
  const webpack = ['node_modules/webpack-cli/bin/cli.js', '--config', 'scripts/packages/webpack.config.js', '--config-name', program, '--output-path', work, '--output-filename', bundle];
  runTool(process.execPath, webpack, { cwd: root, next: 'Mend what webpack names above.' });
  const extension = join(root, 'dist/extension/managed');
  const names = program === 'firstscreen-helper' ? filesIn(extension).map(({ name }) => name).sort() : [];
  const settings = {
    // relative, as the path is kept inside
    main: bundle,
    output: blob,
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    useCodeCache: false,
    execArgv: NODE_OPTIONS,
    // nothing of the environment changes what Node does
    execArgvExtension: 'none',
    assets: Object.fromEntries(names.map((name) => [`${EXTENSION_ASSETS}${name}`, join(extension, name)])),
  };
  const settingsFile = `${program}.sea.json`;
  writeFileSync(join(work, settingsFile), JSON.stringify(settings));
  runTool(process.execPath, ['--experimental-sea-config', settingsFile], { cwd: work, next: 'Use the Node of package-lock.json.' });
  return join(work, blob);
}

/** Puts a blob into a Node. @param node its program, which is left as it is @param output where the executable goes */
export function makeExecutable(root: string, node: string, blob: string, output: string): void {
  copyFileSync(node, output);
  chmodSync(output, EXECUTABLE_MODE);
  runTool('llvm-strip', ['--strip-all', output], { cwd: root, next: 'Install llvm.' });
  runTool(process.execPath, ['node_modules/postject/dist/cli.js', output, RESOURCE, blob, '--sentinel-fuse', FUSE], { cwd: root, next: 'Run: npm install' });
}
