import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from './error.mjs';
import { filesUnder, fingerprint, stampOf } from './fingerprint.mjs';
import { findGo } from './machine.mjs';
import { run } from './run.mjs';

/**
 * @param {string} root
 * @param {string} path relative
 */
function requirePart(root, path) {
  if (existsSync(join(root, path))) return;
  throw new SetupError('E_SETUP_PART_MISSING', `could not build: ${path} is not in this checkout`, `Restore it from git (git checkout -- ${path}) or use a commit that has it, then run this again`);
}

/**
 * A step that makes files out of files: current while the fingerprint of its inputs is the one it was made from and every output is there.
 * @param {string} root
 * @param {{ name: string, stamp: string, inputs: () => string, outputs: () => string[], build: () => Promise<void> }} product
 * @returns {import('../setup.mjs').Step}
 */
function productStep(root, product) {
  const stamp = stampOf(root, product.stamp);
  return {
    name: product.name,
    current: () => stamp.matches(product.inputs()),
    async run() {
      // Taken before the build: a source that changes meanwhile makes the product stale, not wrongly current.
      const inputs = product.inputs();
      stamp.clear();
      await product.build();
      stamp.write(inputs, product.outputs());
    },
  };
}

/**
 * What goes into the Go programs: everything beside Go sources (they may embed it) except tests, TypeScript and prose.
 * @param {readonly string[]} files
 */
export function goInputs(files) {
  const directories = new Set(files.filter((file) => file.endsWith('.go')).map((file) => dirname(file)));
  return files.filter((file) => /\/go\.(mod|sum)$/.test(file) || (directories.has(dirname(file)) && !/(_test\.go|\.ts|\.md|\/tsconfig\.json)$/.test(file)));
}

/** @param {string} root */
function foundGo(root) {
  const go = findGo(root);
  if (go === undefined) throw new SetupError('E_SETUP_GO', 'could not build what is in Go: there is no Go', 'Run this again');
  return go;
}

/**
 * build/bin: the emulated link and the virtual hosting.
 * @param {string} root
 */
export function binariesStep(root) {
  const commands = join(root, 'e2e/cmd');
  return productStep(root, {
    name: 'Go programs (build/bin)',
    stamp: 'binaries',
    inputs: () => fingerprint(root, goInputs(filesUnder(join(root, 'e2e'))), [findGo(root)?.version ?? 'no Go']),
    outputs: () => readdirSync(commands).map((name) => join(root, 'build/bin', name)),
    async build() {
      requirePart(root, 'e2e/cmd');
      const go = foundGo(root);
      mkdirSync(join(root, 'build/bin'), { recursive: true });
      await run(root, {
        log: 'go-build',
        command: go.path,
        args: ['build', '-o', '../build/bin/', './cmd/...'],
        cwd: join(root, 'e2e'),
        env: { GOTOOLCHAIN: 'local' },
        code: 'E_SETUP_BUILD',
        attempt: 'building the Go programs',
        next: 'Mend what the compiler names above',
      });
    },
  });
}

/** What `go generate` makes of the driver's programs for the kernel, and of those of its tests. */
const GENERATED = /_bpf(el|eb)(_test)?\.(go|o)$/;

/**
 * build/bin/firstscreen-driverd, and in helper/driver what is generated for it: never older than the programs' sources.
 * @param {string} root
 */
export function driverStep(root) {
  const driver = join(root, 'helper/driver');
  const generated = () => filesUnder(driver).filter((file) => GENERATED.test(file));
  return productStep(root, {
    name: 'driver (build/bin/firstscreen-driverd)',
    stamp: 'driver',
    inputs() {
      const files = filesUnder(driver).filter((file) => !GENERATED.test(file));
      const programs = files.filter((file) => /\.[ch]$/.test(file));
      return fingerprint(root, [...goInputs(files), ...programs], [findGo(root)?.version ?? 'no Go']);
    },
    outputs: () => [...generated(), join(root, 'build/bin/firstscreen-driverd')],
    async build() {
      requirePart(root, 'helper/driver/cmd');
      const go = foundGo(root);
      for (const file of generated()) rmSync(file);
      const options = /** @type {const} */ ({ command: go.path, cwd: driver, code: 'E_SETUP_BUILD', attempt: 'building the driver', next: 'Mend what the compiler names above' });
      const env = { GOTOOLCHAIN: 'local', CGO_ENABLED: '0' };
      await run(root, { ...options, env, log: 'driver-generate', args: ['generate', './...'] });
      mkdirSync(join(root, 'build/bin'), { recursive: true });
      await run(root, { ...options, env, log: 'driver-build', args: ['build', '-trimpath', '-o', '../../build/bin/', './cmd/...'] });
    },
  });
}

/**
 * dist/: the extension for each browser, the helper and the relay, as they ship.
 * @param {string} root
 */
export function distStep(root) {
  return productStep(root, {
    name: 'extension, helper and relay (dist)',
    stamp: 'dist',
    inputs() {
      const sources = ['extension', 'helper', 'relay', 'shared'].flatMap((part) => filesUnder(join(root, part))).filter((file) => !file.endsWith('.test.ts') && !file.startsWith(join(root, 'helper/driver')));
      const settings = ['webpack.config.js', 'tsconfig.webpack.json', 'tsconfig.base.json', 'package.json', 'package-lock.json', 'LICENSE'].map((name) => join(root, name));
      return fingerprint(root, [...settings, ...sources]);
    },
    outputs: () => filesUnder(join(root, 'dist')),
    async build() {
      requirePart(root, 'webpack.config.js');
      await run(root, {
        log: 'webpack',
        command: join(root, 'node_modules/.bin/node'),
        args: ['node_modules/webpack-cli/bin/cli.js', '--config', 'webpack.config.js'],
        code: 'E_SETUP_BUILD',
        attempt: 'building the extension, the helper and the relay',
        next: 'Mend what webpack names above',
      });
    },
  });
}

/**
 * build/pages, build/sites: the demo pages and sites of our own making, as WARC files.
 * @param {string} root
 */
export function pagesStep(root) {
  const generator = 'e2e/pages/generate.ts';
  const directories = ['build/pages', 'build/sites'].map((directory) => join(root, directory));
  return productStep(root, {
    name: 'demo pages (build/pages, build/sites)',
    stamp: 'pages',
    inputs() {
      const sources = ['e2e/pages', 'shared/src/statistics'].flatMap((part) => filesUnder(join(root, part))).filter((file) => !file.endsWith('.test.ts'));
      // sharp draws the photographs, so another lock file may mean other bytes.
      return fingerprint(root, [join(root, 'package-lock.json'), ...sources]);
    },
    outputs: () => directories.flatMap(filesUnder),
    async build() {
      requirePart(root, generator);
      for (const directory of directories) rmSync(directory, { recursive: true, force: true });
      await run(root, {
        log: 'pages',
        command: join(root, 'node_modules/.bin/node'),
        args: [generator, '--out', 'build/pages', '--sites', 'build/sites'],
        code: 'E_SETUP_BUILD',
        attempt: 'generating the demo pages',
        next: 'Mend what is named above',
      });
    },
  });
}
