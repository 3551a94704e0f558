import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Each forbidden import: the rule that must catch it, the importing file, what it imports. */
const FORBIDDEN: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['extension-imports-shared-only', 'extension/src/background/a.ts', 'helper/src/proxy/target.ts'],
  ['extension-imports-shared-only', 'extension/src/popup/b.ts', 'e2e/analysis/target.ts'],
  ['helper-imports-shared-only', 'helper/src/host/a.ts', 'extension/src/background/target.ts'],
  ['helper-imports-shared-only', 'helper/src/proxy/b.ts', 'e2e/bench/target.ts'],
  ['e2e-uses-built-artifacts', 'e2e/bench/a.ts', 'extension/src/background/target.ts'],
  ['extension-imports-shared-only', 'extension/src/popup/c.ts', 'relay/src/carrier/target.ts'],
  ['extension-makes-no-certificates', 'extension/src/popup/d.ts', 'shared/src/relay/identity.ts'],
  ['extension-makes-no-certificates', 'extension/src/popup/e.ts', '@peculiar/x509'],
  ['helper-imports-shared-only', 'helper/src/proxy/h.ts', 'relay/src/carrier/target.ts'],
  ['relay-imports-shared-only', 'relay/src/carrier/a.ts', 'helper/src/upstream/target.ts'],
  ['relay-imports-shared-only', 'relay/src/carrier/b.ts', 'e2e/bench/target.ts'],
  ['relay-queue-is-pure', 'relay/src/queue/sendQueue.ts', 'node:http2'],
  ['e2e-uses-built-artifacts', 'e2e/bench/b.ts', 'helper/src/host/target.ts'],
  ['e2e-uses-built-artifacts', 'e2e/bench/c.ts', 'relay/src/carrier/target.ts'],
  ['shared-is-pure', 'shared/src/a.ts', 'helper/src/host/target.ts'],
  ['shared-is-pure', 'shared/src/b.ts', 'node:fs'],
  ['shared-is-pure', 'shared/src/c.ts', 'undici'],
  ['shared-is-pure', 'shared/src/e.ts', '@peculiar/x509'],
  ['identity-is-pure', 'shared/src/relay/identity.ts', 'node:crypto'],
  ['shared-tests-stay-home', 'shared/src/d.test.ts', 'helper/src/host/target.ts'],
  ['extension-runs-in-a-browser', 'extension/src/background/c.ts', 'node:fs'],
  ['content-stands-alone', 'extension/src/content/a.ts', 'extension/src/background/target.ts'],
  ['background-knows-no-content', 'extension/src/background/d.ts', 'extension/src/content/target.ts'],
  ['helper-goes-down-upstream', 'helper/src/upstream/a.ts', 'helper/src/proxy/target.ts'],
  ['helper-goes-down-upstream', 'helper/src/relay/a.ts', 'helper/src/proxy/target.ts'],
  ['helper-goes-down-upstream', 'helper/src/fwp/a.ts', 'helper/src/proxy/target.ts'],
  ['upstream-knows-no-fwp', 'helper/src/upstream/b.ts', 'helper/src/fwp/target.ts'],
  ['helper-goes-down-prediction', 'helper/src/prediction/a.ts', 'helper/src/proxy/target.ts'],
  ['tunnels-and-prediction-apart', 'helper/src/tunnels/a.ts', 'helper/src/prediction/target.ts'],
  ['shared-is-pure', 'shared/src/e.ts', 'shared/src/node/target.ts'],
  ['shared-node-is-shared', 'shared/src/node/a.ts', 'helper/src/host/target.ts'],
  ['shared-node-is-shared', 'shared/src/node/b.ts', 'undici'],
  ['extension-needs-no-node', 'extension/src/background/e.ts', 'shared/src/node/target.ts'],
  ['reading-is-pure', 'shared/src/node/reading/a.ts', 'shared/src/node/upstream/target.ts'],
  ['helper-goes-down-proxy', 'helper/src/proxy/c.ts', 'helper/src/host/target.ts'],
  ['helper-goes-down-host', 'helper/src/host/b.ts', 'helper/src/cli/target.ts'],
  ['analysis-is-pure', 'e2e/analysis/a.ts', 'node:fs'],
  ['analysis-is-pure', 'e2e/analysis/b.ts', 'node:fs/promises'],
  ['analysis-is-pure', 'e2e/analysis/c.ts', 'undici'],
  ['analysis-is-pure', 'e2e/analysis/d.ts', 'e2e/bench/target.ts'],
  ['product-needs-no-dev-packages', 'helper/src/proxy/d.ts', 'undici'],
  ['product-needs-no-dev-packages', 'relay/src/carrier/c.ts', 'undici'],
  ['nobody-imports-tests', 'helper/src/proxy/e.ts', 'helper/src/proxy/target.test.ts'],
  ['product-needs-no-testing', 'helper/src/proxy/g.ts', 'helper/src/testing/target.ts'],
  ['no-unresolved', 'helper/src/proxy/f.ts', 'helper/src/proxy/nowhere.ts'],
];

const ALLOWED: readonly (readonly [from: string, to: string])[] = [
  ['extension/src/background/x.ts', 'shared/src/target.ts'],
  ['extension/src/content/x.ts', 'extension/src/messages/target.ts'],
  ['extension/src/content/y.ts', 'extension/src/platform/target.ts'],
  ['extension/src/background/y.ts', '#platform/gate.ts'],
  ['helper/src/host/x.ts', 'helper/src/proxy/target.ts'],
  ['helper/src/proxy/x.ts', 'helper/src/upstream/target.ts'],
  ['helper/src/upstream/x.ts', 'shared/src/target.ts'],
  ['helper/src/host/y.ts', 'node:fs'],
  ['helper/src/proxy/y.test.ts', 'helper/src/testing/target.ts'],
  ['helper/src/testing/x.ts', 'undici'],
  ['shared/src/x.ts', 'valibot'],
  ['relay/src/carrier/x.ts', 'shared/src/target.ts'],
  ['relay/src/queue/sender.ts', 'relay/src/queue/target.ts'],
  ['relay/src/carrier/y.ts', 'node:http2'],
  ['shared/src/x.test.ts', 'node:fs'],
  ['shared/src/node/x.ts', 'node:fs'],
  ['helper/src/upstream/y.ts', 'shared/src/node/target.ts'],
  ['e2e/bench/x.ts', 'e2e/analysis/target.ts'],
  ['e2e/bench/y.ts', 'shared/src/target.ts'],
  ['e2e/analysis/x.ts', 'e2e/analysis/target.ts'],
];

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

let tree: string;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

/** Runs the real rules over the made-up tree. */
function violations(): readonly Violation[] {
  const program = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [program, '--config', '.dependency-cruiser.js', '--output-type', 'json', 'extension', 'helper', 'relay', 'shared', 'e2e'];
  const result = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return (JSON.parse(result.stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

describe('direction of imports', () => {
  let found: readonly Violation[];

  beforeAll(() => {
    tree = mkdtempSync(join(tmpdir(), 'firstscreen-imports-'));
    write('package.json', JSON.stringify({ type: 'module', dependencies: { valibot: '1', '@peculiar/x509': '1' }, devDependencies: { undici: '1' } }));
    for (const name of ['valibot', 'undici', '@peculiar/x509']) {
      write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', type: 'module', exports: './index.js' }));
      write(`node_modules/${name}/index.js`, 'export const x = 1;\n');
    }
    write('webpack.config.js', "export default { resolve: { alias: { '#platform': new URL('extension/src/platform/chromium', import.meta.url).pathname } } };\n");
    for (const name of ['.dependency-cruiser.js', 'tsconfig.base.json']) copyFileSync(join(ROOT, name), join(tree, name));
    for (const [from, to] of [...FORBIDDEN.map(([, from, to]) => [from, to] as const), ...ALLOWED]) {
      const isFile = to.endsWith('.ts') && !to.startsWith('#');
      if (isFile && !to.includes('nowhere')) write(to, 'export const x = 1;\n');
      const specifier = isFile ? posix.relative(posix.dirname(from), to) : to;
      write(from, `import * as it from '${specifier.startsWith('.') || !isFile ? specifier : `./${specifier}`}';\nexport const y = it;\n`);
    }
    write('extension/src/platform/chromium/gate.ts', 'export const x = 1;\n');
    write('helper/src/proxy/one.ts', "import { two } from './two.ts';\nexport const one = (): unknown => two;\n");
    write('helper/src/proxy/two.ts', "import { one } from './one.ts';\nexport const two = (): unknown => one;\n");
    found = violations();
  });

  afterAll(() => {
    rmSync(tree, { recursive: true, force: true });
  });

  it.each(FORBIDDEN)('%s catches %s -> %s', (rule, from) => {
    expect(found.filter((violation) => violation.from === from).map((violation) => violation.rule.name)).toContain(rule);
  });

  it.each(ALLOWED)('allows %s -> %s', (from) => {
    expect(found.filter((violation) => violation.from === from)).toEqual([]);
  });

  it('catches a cycle', () => {
    expect(found.filter((violation) => violation.rule.name === 'no-cycles').map((violation) => violation.from)).toContain('helper/src/proxy/one.ts');
  });
});
