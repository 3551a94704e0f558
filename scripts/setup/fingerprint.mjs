import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Every file under a folder, sorted; a folder that is not there has none. Hidden files and node_modules are left out.
 * @param {string} directory
 * @returns {string[]} absolute paths when `directory` is absolute
 */
export function filesUnder(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(directory, entry.name)) : [join(directory, entry.name)]));
}

/**
 * One hash of names and contents: a build is current while what went into it has the same fingerprint.
 * @param {string} root names are taken relative to it, so that a moved checkout stays current
 * @param {readonly string[]} files absolute paths; one that is not there counts as such
 * @param {readonly string[]} [facts] anything else that goes into the build, such as a compiler version
 */
export function fingerprint(root, files, facts = []) {
  const hash = createHash('sha256');
  for (const fact of facts) hash.update(`fact\0${fact}\0`);
  for (const file of files) {
    const content = existsSync(file) ? readFileSync(file) : undefined;
    hash.update(`file\0${relative(root, file)}\0${content?.length ?? 'absent'}\0`);
    if (content !== undefined) hash.update(content);
  }
  return hash.digest('hex');
}

/**
 * Remembers what a product was made from and which files it consists of.
 * @param {string} root
 * @param {string} name
 */
export function stampOf(root, name) {
  const path = join(root, 'build/setup', `${name}.stamp.json`);
  return {
    /** @param {string} current */
    matches(current) {
      if (!existsSync(path)) return false;
      const content = /** @type {unknown} */ (JSON.parse(readFileSync(path, 'utf8')));
      const stamp = /** @type {{ fingerprint: string, outputs: string[] }} */ (content);
      return stamp.fingerprint === current && stamp.outputs.every((output) => existsSync(join(root, output)));
    },
    /** Before a build begins: a build that is broken off must not look current. */
    clear() {
      rmSync(path, { force: true });
    },
    /**
     * @param {string} current
     * @param {readonly string[]} outputs absolute paths
     */
    write(current, outputs) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.new`, JSON.stringify({ fingerprint: current, outputs: outputs.map((output) => relative(root, output)) }));
      renameSync(`${path}.new`, path);
    },
  };
}
