import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PackagingError } from './packagingError.ts';

/** What a licence asks to be said with a program. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

/** A package that is inside an executable. */
interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly directory: string;
}

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const readManifest = (directory: string): Manifest => JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;

/**
 * The notices of all that is in an executable: Node's own, and those of the packages that a package.json lists under
 * `dependencies`, with what they need.
 *
 * @param part where that package.json is
 * @param more of what lies beside it
 * @throws PackagingError E_PACKAGE_CONTENT for a package without a licence
 */
export function noticesText(root: string, part: string, nodeLicence: string, more: readonly Notice[] = []): string {
  const parts = dependenciesOf(root, part).map((dependency): Notice => ({ title: `${dependency.name} ${dependency.version}`, text: licenceText(dependency) }));
  const notices = [{ title: 'Node.js', text: readFileSync(nodeLicence, 'utf8') }, ...parts, ...more];
  return notices.map(({ title, text }) => `${'='.repeat(title.length)}\n${title}\n${'='.repeat(title.length)}\n\n${text.trim()}\n`).join('\n\n');
}

/** Each package once, by name and version. */
export function dependenciesOf(root: string, part: string): Dependency[] {
  const found = new Map<string, Dependency>();
  const open = [part];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const name of Object.keys(readManifest(from).dependencies ?? {})) {
      const directory = resolvePackage(name, from, root);
      if (found.has(directory)) continue;
      found.set(directory, { name, version: readManifest(directory).version, directory });
      open.push(directory);
    }
  }
  return [...found.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

/** As Node finds it: in the nearest node_modules that has it, from there upwards. */
function resolvePackage(name: string, from: string, root: string): string {
  for (let directory = from; ; directory = dirname(directory)) {
    const candidate = join(directory, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (directory === root || directory === dirname(directory)) throw new PackagingError('E_PACKAGE_CONTENT', `The package ${name} is not installed.`, 'Run: npm install');
  }
}

function licenceText({ name, directory }: Dependency): string {
  const file = readdirSync(directory).sort().find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (file !== undefined) return readFileSync(join(directory, file), 'utf8');
  const { license } = readManifest(directory);
  if (license === undefined) throw new PackagingError('E_PACKAGE_CONTENT', `The package ${name} has no licence.`, 'Look for another one.');
  return `Licence: ${license}`;
}
