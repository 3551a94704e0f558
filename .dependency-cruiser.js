/**
 * The direction of imports: extension -> shared <- helper; e2e uses built artifacts. docs/architecture.md has the drawing.
 * scripts/imports.test.ts shows that each rule catches what it forbids.
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two modules that need each other are one module, or want a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'product-needs-no-dev-packages',
      comment: 'What ships may use only what package.json lists under dependencies.',
      severity: 'error',
      from: { path: '^(extension|helper|shared)/src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'], pathNot: '^node_modules/@types/' },
    },
    {
      name: 'shared-is-pure',
      comment: 'shared/ runs in browsers and in Node: only itself, valibot, lru-cache and ipaddr.js, no node:*, no chrome.*.',
      severity: 'error',
      from: { path: '^shared/src/', pathNot: ['\\.test\\.ts$', '^shared/src/relay/identity\\.ts$'] },
      to: { pathNot: ['^shared/src/', '^node_modules/(valibot|lru-cache|ipaddr\\.js)/'] },
    },
    {
      name: 'identity-is-pure',
      comment: 'Certificates of helper and relay need a library; it takes its cryptography from WebCrypto.',
      severity: 'error',
      from: { path: '^shared/src/relay/identity\\.ts$' },
      to: { pathNot: ['^shared/src/', '^node_modules/(@peculiar/x509|reflect-metadata)/'] },
    },
    {
      name: 'extension-makes-no-certificates',
      comment: "Their library is larger than the extension.",
      severity: 'error',
      from: { path: '^extension/' },
      to: { path: '^(shared/src/relay/identity\\.ts$|node_modules/@peculiar/)', reachable: true },
    },
    {
      name: 'shared-tests-stay-home',
      comment: 'Tests of shared/ may use the test tools and node:*, but none of the other parts.',
      severity: 'error',
      from: { path: '^shared/src/.*\\.test\\.ts$' },
      to: { path: '^(extension|helper|e2e|scripts)/' },
    },
    {
      name: 'extension-imports-shared-only',
      severity: 'error',
      from: { path: '^extension/' },
      to: { path: '^(helper|e2e|scripts)/' },
    },
    {
      name: 'helper-imports-shared-only',
      severity: 'error',
      from: { path: '^helper/' },
      to: { path: '^(extension|e2e|scripts)/' },
    },
    {
      name: 'e2e-uses-built-artifacts',
      comment: 'A benchmark of sources would measure something that is not what ships; e2e starts what is in dist/.',
      severity: 'error',
      from: { path: '^e2e/' },
      to: { path: '^(extension|helper|scripts|dist)/' },
    },
    {
      name: 'extension-runs-in-a-browser',
      severity: 'error',
      from: { path: '^extension/src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'content-stands-alone',
      comment: 'The content script meets the rest of the extension in messages only; platform/ and urls/ are common ground without state.',
      severity: 'error',
      from: { path: '^extension/src/content/' },
      to: { path: '^extension/', pathNot: '^extension/src/(content|messages|platform|urls)(/|\\.ts$)' },
    },
    {
      name: 'background-knows-no-content',
      severity: 'error',
      from: { path: '^extension/src/background/' },
      to: { path: '^extension/src/content/' },
    },
    {
      name: 'helper-goes-down-host',
      comment: 'Inside the helper: cli, host -> proxy -> upstream -> shared, never back.',
      severity: 'error',
      from: { path: '^helper/src/host/' },
      to: { path: '^helper/src/cli/' },
    },
    {
      name: 'helper-goes-down-proxy',
      severity: 'error',
      from: { path: '^helper/src/(proxy|interception)/' },
      to: { path: '^helper/src/(cli|host)/' },
    },
    {
      name: 'helper-goes-down-prediction',
      comment: 'What is asked for ahead, and tunnels, are each for themselves below the proxy.',
      severity: 'error',
      from: { path: '^helper/src/(prediction|tunnels)/' },
      to: { path: '^helper/src/(cli|host|proxy|interception)/' },
    },
    {
      name: 'tunnels-and-prediction-apart',
      severity: 'error',
      from: { path: '^helper/src/tunnels/' },
      to: { path: '^helper/src/(prediction|reading)/' },
    },
    {
      name: 'helper-goes-down-upstream',
      severity: 'error',
      from: { path: '^helper/src/upstream/' },
      to: { path: '^helper/src/(cli|host|proxy|prediction|tunnels|interception)/' },
    },
    {
      name: 'driver-client-stands-alone',
      comment: 'The conversation with the driver, and the spool that it leads programs into, are for the host and doctor; nothing of a page is in them.',
      severity: 'error',
      from: { path: '^helper/src/driver/', pathNot: '\\.test\\.ts$' },
      to: { path: '^helper/src/(?!driver/|spool/)' },
    },
    {
      name: 'reading-is-pure',
      comment: 'Documents and style sheets are read as their bytes come; who asks for what they name is none of its business.',
      severity: 'error',
      from: { path: '^helper/src/reading/', pathNot: '\\.test\\.ts$' },
      to: { path: '^helper/src/(?!reading/|http/)' },
    },
    {
      name: 'analysis-is-pure',
      comment: 'Analysis turns records into numbers: no files, no network, no browser, so that old results can be analysed anew.',
      severity: 'error',
      from: { path: '^e2e/analysis/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(e2e/(?!analysis/)|(node:)?(fs|net|http|https|http2|tls|dgram|dns|child_process|worker_threads|cluster|process|readline)(/promises)?$|node_modules/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nobody-imports-tests',
      severity: 'error',
      from: { pathNot: '\\.test\\.ts$' },
      to: { path: '\\.test\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: '^(node_modules|dist|build)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    // For its alias: #platform is Chromium's overlay (the first bundle); Firefox's files of the same names are under the same rules by their place.
    webpackConfig: { fileName: 'webpack.config.js' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default', 'types'], extensions: ['.ts', '.js', '.mjs', '.json', '.d.ts'] },
  },
};
