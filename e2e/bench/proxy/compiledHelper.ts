import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** The helper and what it needs of this repository. */
const PARTS = ['helper/src', 'shared/src'];
const RUNNER = 'e2e/bench/proxy/firstscreenProxy.ts';

/**
 * Compiles the helper's sources to JavaScript modules, as what ships is JavaScript: Node's own type stripping stays in memory, which is measured.
 *
 * @param target a directory that is not there yet
 * @returns the compiled runner; its first argument is the target
 */
export async function compileHelper(root: string, target: string): Promise<string> {
  await mkdir(target, { recursive: true });
  await cp(join(root, 'package.json'), join(target, 'package.json'));
  await symlink(join(root, 'node_modules'), join(target, 'node_modules'));
  const files = await Promise.all(PARTS.map(async (part) => (await readdir(join(root, part), { recursive: true })).map((file) => join(part, file))));
  const sources = files.flat().filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  await Promise.all([...sources, RUNNER].map((file) => compileFile(join(root, file), join(target, compiledName(file)))));
  return join(target, compiledName(RUNNER));
}

async function compileFile(from: string, to: string): Promise<void> {
  const { outputText } = ts.transpileModule(await readFile(from, 'utf8'), {
    fileName: from,
    compilerOptions: { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.ESNext, rewriteRelativeImportExtensions: true, verbatimModuleSyntax: true, isolatedModules: true },
  });
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, outputText);
}

function compiledName(file: string): string {
  return file.replace(/\.ts$/, '.js');
}
