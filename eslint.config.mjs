import nx from '@nx/eslint-plugin';
import simpleImportSort from 'eslint-plugin-simple-import-sort';
import { createProjectGraphAsync } from 'nx/src/devkit-exports.js';
import tseslint from 'typescript-eslint';
import { boundaries } from './tools/boundaries/rule.mjs';
import { namedRulesRule } from './tools/lint/named-rules.mjs';
import { nextStepRule } from './tools/lint/next-step.mjs';
import { testProcessesRule } from './tools/lint/test-processes.mjs';

// The boundary rule reads the project graph from nx's cache. Without a cached graph it silently checks nothing.
await createProjectGraphAsync();

// Specs run a conformance suite on the double and on the peer that it stands for.
// The demo is a test that a person reads: it uses the specs' repositories, servers and visitor.
const SPECS = [
  '**/*.spec.ts',
  '**/*.conformance.ts',
  'libs/testing/**/*.ts',
  'apps/{plat,portforward,console}/src/black-box/**/*.ts',
  'apps/e2e/**/*.ts',
  'tools/demo/**/*.ts',
];
/** Files outside `libs/testing` that several specs share. */
const SPEC_HELPERS = ['tools/deployment/**/*.ts', 'tools/images/source-snapshot.ts'];
/** Files that start processes by the functions of Node itself, with the reason. */
const STARTERS = {
  'libs/testing/src/starter/child-process.ts': 'the starter',
  'libs/testing/src/setup/isolate-environment.spec.ts':
    'says what a process inherits that a program under test starts',
};
const SERVICE_SPECS = [
  'apps/{reviews,builds,releases,audit,platform,standalone}/**/*.spec.ts',
  // Specs of the MCP server check what the services store; no other spec of the client may import a service.
  'apps/plat/src/mcp/*.spec.ts',
];
/** More than three parameters become one object; not for constructors and route handlers: theirs are injected. */
const TOO_MANY_PARAMETERS = [
  'FunctionDeclaration[params.length>3]',
  'ArrowFunctionExpression[params.length>3]',
  'MethodDefinition[kind!="constructor"] > FunctionExpression[params.length>3]:not([params.0.decorators.length>0])',
].map((selector) => ({ selector, message: 'More than 3 parameters: take one object.' }));
/** No code writes to an object that it was given. `readonly` on some members suggests that it may write the others. */
const READONLY_MEMBERS = [
  {
    selector: 'TSPropertySignature[readonly=true]',
    message: 'Members of a shape have no readonly; its arrays may.',
  },
];
/**
 * An absent field is written as undefined, which JSON, parameters and defaults leave out. Where an undefined field
 * would count (headers, an environment), `defined` of contracts/core removes it.
 */
const CONDITIONAL_FIELDS = [
  'ObjectExpression > SpreadElement > LogicalExpression[operator="&&"]',
  'ObjectExpression > SpreadElement > ConditionalExpression[alternate.type="ObjectExpression"][alternate.properties.length=0]',
  'ObjectExpression > SpreadElement > ConditionalExpression[consequent.type="ObjectExpression"][consequent.properties.length=0]',
].map((selector) => ({
  selector,
  message: 'Write the field, undefined if it is absent; or defined({ … }) where an undefined field counts.',
}));
/** Node 20 collects the timeout, and the time never ends. */
const COLLECTED_TIMEOUT = {
  selector:
    'CallExpression[callee.object.name="AbortSignal"][callee.property.name="any"] CallExpression[callee.property.name="timeout"]',
  message: 'Nothing holds this timeout: take withTimeLimit of @plat/local.',
};
const TESTS = '/^(it|test|describe)$/';
/** `only` hides that the other tests do not run; a skipped one shows nothing. Under a condition, `skip` may be used. */
const UNTESTED = [
  `MemberExpression[object.name=${TESTS}][property.name="only"]`,
  `MemberExpression[object.name=${TESTS}][property.value="only"]`,
  `MemberExpression[object.object.name=${TESTS}][property.name="only"]`,
  `CallExpression[callee.name=${TESTS}] > ObjectExpression > Property[key.name=/^(only|skip|todo)$/]`,
  'Identifier[name=/^(fit|fdescribe|xit|xtest|xdescribe)$/]',
  `CallExpression[callee.object.name=${TESTS}][callee.property.name=/^(skip|todo)$/]`,
  `CallExpression[callee.object.object.name=${TESTS}][callee.object.property.name="skip"]`,
].map((selector) => ({ selector, message: 'Every test runs, and none alone.' }));
/** Imports for side effects, node, packages, other projects, then files of the same project, parent folders first. */
const IMPORT_ORDER = ['^\\u0000', '^node:', '^@?\\w', '^@plat/', '^\\.\\.', '^\\.'];
const READS_ENVIRONMENT = [
  '**/config.ts',
  '**/*-config.ts',
  'apps/plat/src/environment.ts',
  'apps/plat/src/config/*-variables.ts',
  '**/jest.*.js',
  '**/*.spec.ts',
  'tools/**',
  // jest passes the test cluster's address to its workers in the environment.
  'libs/testing/src/setup/**',
  'libs/testing/src/starter/**',
  'libs/testing/src/database/**',
  // The environment also has the paths of third-party servers.
  'libs/testing/src/peers/peer.ts',
  // So it has the control group of a node, and what a node gives its network plugins.
  'libs/testing/src/kubernetes-node/**',
];

/** The rules of this house. */
const plat = {
  rules: { 'named-rules': namedRulesRule, 'next-step': nextStepRule, 'test-processes': testProcessesRule },
};

/** @param {object[]} more patterns of modules that some files must not import */
const restrictedImports = (...more) => [
  'error',
  {
    paths: [{ name: 'node:process', message: 'Use the global process: its env and exit are then guarded.' }],
    patterns: [
      { group: ['@plat/**/src', '@plat/**/src/**'], message: "Enter by the project's index.ts." },
      ...more,
    ],
  },
];

export default [
  { ignores: ['dist', '.nx', '.plat', 'node_modules', 'libs/api-client/src/generated'] },
  ...tseslint.configs.recommended,
  {
    // The rules that need types are those of tools/lint/typed-rules.json.
    files: ['**/*.{ts,tsx}'],
    // A decorator needs the value of a type that it finds in a parameter.
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    rules: { '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }] },
  },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 50 }],
      'no-restricted-syntax': [
        'error',
        ...TOO_MANY_PARAMETERS,
        ...READONLY_MEMBERS,
        ...CONDITIONAL_FIELDS,
        COLLECTED_TIMEOUT,
      ],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: "Read it in the process's one validated config." },
        { object: 'process', property: 'exit', message: 'Set process.exitCode and return.' },
      ],
      'no-restricted-imports': restrictedImports(),
    },
  },
  {
    // The conditions A and B decide whether a review is MERGED. The verdict on its content only advises.
    files: [
      'libs/verifier/src/{changes,history,merge,objects,pack,protocol,transport}/**/*.ts',
      'libs/verifier/src/judge/{history-landing,moved-deletion,queue-landing}.ts',
    ],
    rules: {
      'no-restricted-imports': restrictedImports({
        group: ['**/content/*'],
        message: 'Nothing that decides on a landing imports the verdict on its content.',
      }),
    },
  },
  { plugins: { '@nx': nx } },
  { plugins: { plat }, rules: { 'plat/named-rules': 'error' } },
  {
    // A next step is pasted into a shell by a person, and run by an agent.
    files: ['apps/plat/src/**/*.ts'],
    ignores: SPECS,
    plugins: { plat },
    languageOptions: {
      parserOptions: { project: 'tools/lint/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: { 'plat/next-step': 'error' },
  },
  {
    files: [...SPECS, ...SPEC_HELPERS],
    ignores: Object.keys(STARTERS),
    plugins: { plat },
    rules: { 'plat/test-processes': 'error' },
  },
  {
    plugins: { 'simple-import-sort': simpleImportSort },
    rules: {
      'simple-import-sort/imports': ['error', { groups: [IMPORT_ORDER] }],
      'simple-import-sort/exports': 'error',
      'no-duplicate-imports': 'error',
      // A body on a line of its own has braces; branches of one `if` all have them, or none has.
      curly: ['error', 'multi-line', 'consistent'],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    rules: { '@nx/enforce-module-boundaries': ['error', boundaries()] },
  },
  {
    files: ['apps/standalone/**/*.ts', 'tools/generate/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': ['error', boundaries({ composesServices: true })] },
  },
  {
    files: SPECS,
    rules: { '@nx/enforce-module-boundaries': ['error', boundaries({ isSpec: true })] },
  },
  {
    // Services share the database: a spec of one may run others next to it, as standalone does.
    files: SERVICE_SPECS,
    rules: {
      '@nx/enforce-module-boundaries': ['error', boundaries({ isSpec: true, composesServices: true })],
    },
  },
  {
    // The whole product: what the services store, and what the client says of it.
    files: ['apps/e2e/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        boundaries({ isSpec: true, composesServices: true, runsClient: true }),
      ],
    },
  },
  {
    files: SPECS,
    rules: {
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      'no-restricted-syntax': ['error', ...UNTESTED, ...READONLY_MEMBERS, ...CONDITIONAL_FIELDS],
    },
  },
  {
    files: ['**/*.test.mjs'],
    rules: { 'no-restricted-syntax': ['error', ...UNTESTED, ...CONDITIONAL_FIELDS] },
  },
  {
    files: READS_ENVIRONMENT,
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'exit', message: 'Set process.exitCode and return.' },
      ],
    },
  },
  {
    files: ['**/*.js', '**/*.cjs'],
    languageOptions: { sourceType: 'commonjs' },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
];
