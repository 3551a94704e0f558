import { readFileSync } from 'node:fs';
import path from 'node:path';
import CopyPlugin from 'copy-webpack-plugin';

const root = import.meta.dirname;
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

const typescript = {
  test: /\.ts$/,
  loader: 'ts-loader',
  // types are checked by `npm run typecheck`; here they are only removed
  options: { transpileOnly: true, configFile: path.join(root, 'tsconfig.webpack.json') },
};

// sources import each other as .ts, which TypeScript rewrites to .js; the file is still the .ts one
const EXTENSION_ALIAS = { '.js': ['.ts', '.js'] };

/**
 * One bundle per mechanism from one source: `#platform/...` is its overlay folder, with the same file names in each;
 * `managed` is Chromium with the extension installed by policy.
 *
 * @param background its entry: tests have one of their own, which is never packaged
 */
function extensionFor(browser, background = 'main.ts', directory = 'dist/extension') {
  const source = path.join(root, 'extension/src');
  return {
    name: `${directory}/${browser}`,
    mode: 'production',
    // what ships can be read by its reviewers
    optimization: { minimize: false },
    devtool: false,
    target: ['web', 'es2022'],
    entry: {
      background: path.join(source, 'background', background),
      content: path.join(source, 'content/main.ts'),
      popup: path.join(source, 'popup/main.ts'),
      options: path.join(source, 'options/main.ts'),
      welcome: path.join(source, 'welcome/main.ts'),
      devtools: path.join(source, 'panel/devtools.ts'),
      panel: path.join(source, 'panel/main.ts'),
      measure: path.join(source, 'measure/main.ts'),
    },
    output: { path: path.join(root, directory, browser), filename: '[name].js', clean: true },
    module: { rules: [typescript] },
    resolve: { extensions: ['.ts', '.js', '.mjs'], extensionAlias: EXTENSION_ALIAS, alias: { '#platform': path.join(source, 'platform', browser) } },
    plugins: [
      new CopyPlugin({
        patterns: [
          {
            from: path.join(source, 'manifest', `${browser}.json`),
            to: 'manifest.json',
            transform: (text) => JSON.stringify({ ...JSON.parse(readFileSync(path.join(source, 'manifest/common.json'), 'utf8')), ...JSON.parse(text.toString()), version }, null, 2),
          },
          { from: path.join(source, 'popup/popup.html') },
          { from: path.join(source, 'popup/popup.css') },
          { from: path.join(source, 'options/options.html') },
          { from: path.join(source, 'options/options.css') },
          { from: path.join(source, 'measure/measure.html') },
          { from: path.join(source, 'measure/measure.css') },
          { from: path.join(source, 'welcome/welcome.html') },
          { from: path.join(source, 'welcome/welcome.css') },
          { from: path.join(source, 'ui/ui.css') },
          ...['devtools.html', 'panel.html', 'panel.css'].map((name) => ({ from: path.join(source, 'panel', name) })),
          { from: path.join(root, 'node_modules/uplot/dist/uPlot.min.css') },
          { from: path.join(root, 'extension/_locales'), to: '_locales' },
          { from: path.join(root, 'extension/icons'), to: 'icons' },
        ],
      }),
    ],
  };
}

/**
 * Two bundles of one source for each program of Node: what ships, and that of the benchmark and of tests, in which more
 * can be told to it, and which is never packaged.
 *
 * @param part its folder, by which the program is called
 * @param name of the bundle and its folder in dist
 */
export const programFor = (part, name, entry) => ({
  name,
  mode: 'production',
  optimization: { minimize: false },
  devtool: false,
  target: 'node24',
  entry: { [`firstscreen-${part}`]: path.join(root, part, 'src', entry) },
  experiments: { outputModule: true },
  output: { path: path.join(root, 'dist', name), filename: '[name].mjs', module: true, chunkFormat: 'module', clean: true },
  // a program is one file; what is imported when it is needed is in it, and runs then
  module: { rules: [typescript], parser: { javascript: { dynamicImportMode: 'eager' } } },
  resolve: { extensions: ['.ts', '.js', '.mjs'], extensionAlias: EXTENSION_ALIAS },
});

/** What relays share pictures with, in a bundle that the relay's program loads when it is told to; beside it in a package. */
const relayStore = {
  name: 'relay-store',
  mode: 'production',
  optimization: { minimize: false },
  devtool: false,
  target: 'node24',
  entry: { index: path.join(root, 'relay/src/store/openPictureStore.ts') },
  output: { path: path.join(root, 'dist/node_modules/firstscreen-relay-store'), filename: '[name].js', library: { type: 'commonjs2' }, clean: true },
  // one file; who its credentials are from is said to it, so that it looks for them nowhere
  module: { rules: [typescript], parser: { javascript: { dynamicImportMode: 'eager' } } },
  resolve: { extensions: ['.ts', '.js', '.mjs'], extensionAlias: EXTENSION_ALIAS, alias: { '@aws-sdk/credential-provider-node': false } },
};

const BROWSERS = ['chromium', 'managed', 'firefox'];

export default [
  ...BROWSERS.map((browser) => extensionFor(browser)),
  ...BROWSERS.map((browser) => extensionFor(browser, 'testMain.ts', 'build/extension')),
  programFor('helper', 'helper', 'main.ts'),
  programFor('helper', 'bench', 'bench.ts'),
  programFor('relay', 'relay', 'main.ts'),
  programFor('relay', 'relay-bench', 'bench.ts'),
  relayStore,
];
