import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** The extension's oldest Chromium is 123 (extension/src/manifest/). */
const TOO_NEW = [{ object: 'URL', property: 'parse', message: 'Chromium has it from 126 on: ask URL.canParse first.' }];

export default defineConfig(
  globalIgnores(['build/', 'dist/', '**/out/', '**/node_modules/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{js,mjs,ts}'],
    rules: {
      eqeqeq: ['error', 'always'],
      'no-var': 'error',
      'prefer-const': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-self-assign': 'error',
      'no-self-compare': 'error',
      'no-unreachable-loop': 'error',
      'no-constant-condition': ['error', { checkLoops: 'allExceptWhileTrue' }],
      'no-debugger': 'error',
    },
  },
  {
    files: ['**/*.ts', 'scripts/**/*.mjs'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }],
      // Numbers and booleans read well in template strings; objects and undefined there are mistakes.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }],
      // process.env['X'] is what noPropertyAccessFromIndexSignature would ask for.
      '@typescript-eslint/dot-notation': 'off',
    },
  },
  { files: ['**/*.ts'], rules: { '@typescript-eslint/explicit-module-boundary-types': 'error' } },
  {
    // stdout is the native-messaging protocol, or what a command answers, and nothing else; logs go through shared/src/log.ts to stderr.
    files: ['helper/src/**/*.ts', 'relay/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: { 'no-console': 'error' },
  },
  {
    // The sinks of the log are the one place that writes to the console.
    files: ['shared/src/**/*.ts', 'extension/src/**/*.ts'],
    ignores: ['**/*.test.ts', '**/log.ts'],
    rules: { 'no-console': 'error' },
  },
  {
    // Pure code: the clock and the random source are arguments (docs/architecture.md).
    files: ['shared/src/**/*.ts', 'e2e/analysis/**/*.ts'],
    ignores: ['**/*.test.ts', 'shared/src/node/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...TOO_NEW,
        { object: 'Date', property: 'now', message: 'Take the time as an argument.' },
        { object: 'performance', property: 'now', message: 'Take the time as an argument.' },
        { object: 'Math', property: 'random', message: 'Take a random source as an argument.' },
      ],
      'no-restricted-globals': ['error', 'setTimeout', 'setInterval', 'fetch', 'chrome', 'browser', 'process'],
    },
  },
  {
    files: ['extension/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-properties': ['error', ...TOO_NEW] },
  },
  {
    // Content scripts never force style or layout (extension/src/content/layoutReader.ts says why, and has its one
    // read of computed styles, inside a frame).
    files: ['extension/src/content/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...TOO_NEW,
        ...['getBoundingClientRect', 'getClientRects', 'scrollX', 'scrollY', 'innerWidth', 'innerHeight', 'scrollWidth', 'scrollHeight', 'offsetTop', 'offsetHeight', 'innerText'].map(
          (property) => ({ property, message: 'Forces layout in the isolated world: observe instead.' }),
        ),
      ],
    },
  },
  {
    // Tests hand over partial doubles and read what is known to be there.
    files: ['**/*.test.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
);
