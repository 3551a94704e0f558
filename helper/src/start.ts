import { realpathSync } from 'node:fs';
import { isSea } from 'node:sea';
import { setFlagsFromString } from 'node:v8';
import { died } from '../../shared/src/node/died.ts';
import type { Program } from './cli/program.ts';
import type { Composition } from './parts.ts';
import { homeDirectory } from './userDirectories.ts';

/**
 * A page is fetched by code that has run little, or not for a while: V8 is to compile it at its first call, and to keep
 * it, which takes a quarter off a load's processor time (docs/adr/0033). A V8 that has no such flag says so on stderr.
 */
const V8_FLAGS = ['--always-sparkplug', '--no-flush-bytecode', '--no-lazy-feedback-allocation'];

/**
 * `firstscreen-helper host ARG...` is what browsers start (through the launcher that `install` writes), everything else
 * is the command line. Each side is loaded only when it is asked for: the browser waits for the host.
 */
export async function start(composition: Composition): Promise<void> {
  process.on('uncaughtException', died);
  const [command, ...args] = process.argv.slice(2);
  if (command === 'host') {
    for (const flag of V8_FLAGS) setFlagsFromString(flag);
    const { runHost } = await import(/* webpackMode: "eager" */ './host/runHost.ts');
    const status = await runHost(args, composition);
    // not exitCode: a pipe to a browser that neither reads nor closes would keep the process
    process.exit(status);
  } else {
    const { runCli } = await import(/* webpackMode: "eager" */ './cli/runCli.ts');
    process.exitCode = await runCli(process.argv.slice(2), {
      platform: process.platform,
      home: homeDirectory(),
      env: process.env,
      program: runningProgram(),
      terminal: process.stdin.isTTY && process.stdout.isTTY ? process.stdin : null,
      print: (text) => process.stdout.write(`${text}\n`),
      printError: (text) => process.stderr.write(`${text}\n`),
    });
  }
}

/** What runs now. Not by import.meta.url, which a bundler replaces by the place of the source. */
function runningProgram(): Program {
  const { execPath, version: nodeVersion } = process;
  if (isSea()) return { nodePath: null, nodeVersion, entry: execPath };
  return { nodePath: execPath, nodeVersion, entry: realpathSync(process.argv[1] ?? '') };
}
