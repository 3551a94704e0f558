import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { dependenciesOf, noticesText } from './notices.ts';

describe('notices of what is inside', () => {
  let root: string;
  beforeEach(() => {
    root = temporaryDirectory();
    write('package.json', { dependencies: { a: '1' }, devDependencies: { unused: '1' } });
    write('node_modules/a/package.json', { version: '1.0.0', dependencies: { b: '2', c: '1' } });
    write('node_modules/a/LICENSE.md', 'licence of a');
    write('node_modules/a/node_modules/b/package.json', { version: '2.0.0', license: 'ISC' });
    write('node_modules/b/package.json', { version: '1.0.0' });
    write('node_modules/c/package.json', { version: '3.0.0', dependencies: { a: '1' } });
    write('node_modules/c/licence', 'licence of c');
    write('node', 'licence of Node');
  });

  function write(path: string, content: object | string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }

  it('are those of what is used and of what that uses, each once, in the version that is found', () => {
    expect(dependenciesOf(root, root).map(({ name, version }) => `${name} ${version}`)).toEqual(['a 1.0.0', 'b 2.0.0', 'c 3.0.0']);
    const text = noticesText(root, root, join(root, 'node'), [{ title: 'd 1', text: 'licence of d' }]);
    const order = ['licence of Node', 'a 1.0.0', 'licence of a', 'b 2.0.0', 'Licence: ISC', 'c 3.0.0', 'licence of c', 'd 1', 'licence of d'].map((part) => text.indexOf(part));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  it('can not be told of what is not there, or has no licence', () => {
    rmSync(join(root, 'node_modules/c/licence'));
    expect(() => noticesText(root, root, join(root, 'node'))).toThrow(expect.objectContaining({ code: 'E_PACKAGE_CONTENT', message: expect.stringContaining('c') as string }));
    rmSync(join(root, 'node_modules/c'), { recursive: true });
    expect(() => dependenciesOf(root, root)).toThrow(expect.objectContaining({ code: 'E_PACKAGE_CONTENT' }));
  });
});
