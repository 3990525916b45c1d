import { join } from 'node:path';
import { typedRules } from '../lint/typed-rules.mjs';
import { toolPath } from '../run-tool.mjs';

const root = join(import.meta.dirname, '..', '..');
const dispatcher = join(root, 'tools', 'run.mjs');

/**
 * The native compiler checks types in a tenth of the time. The other one stays for the tools that call it as a library:
 * typescript-eslint, and what finds the sources of a bundle.
 */
const typesOf = (...config) => [
  toolPath('typescript-native', 'tsc'),
  '--noEmit',
  '-p',
  join(root, ...config),
];

/**
 * The steps of `npm run check`, the slowest first: name and arguments of node.
 * @type {{name: string, args: string[]}[]}
 */
export const steps = [
  { name: 'lint', args: [toolPath('eslint'), '--max-warnings=0', root] },
  { name: 'lint of types', args: typedRules(root) },
  { name: 'types', args: typesOf('tsconfig.json') },
  { name: 'types of the console', args: typesOf('apps', 'console', 'tsconfig.json') },
  { name: 'builds', args: [dispatcher, 'build'] },
  { name: 'generated files', args: [dispatcher, 'generate', '--check'] },
  {
    name: 'API documents',
    args: [
      toolPath('@stoplight/spectral-cli', 'spectral'),
      'lint',
      '--quiet',
      '--fail-severity=warn',
      join(root, 'docs', 'openapi', '*.json'),
    ],
  },
  { name: 'format', args: [toolPath('prettier'), '--check', '--log-level=warn', root] },
  { name: 'references', args: [join(root, 'tools', 'check', 'references', 'main.mjs')] },
  { name: 'licences', args: [join(root, 'tools', 'check', 'licences', 'main.mjs')] },
  { name: 'hashes of packages', args: [join(root, 'tools', 'check', 'hashes', 'main.mjs')] },
  { name: 'secrets', args: [join(root, 'tools', 'check', 'secrets', 'main.mjs')] },
  { name: 'words', args: [join(root, 'tools', 'check', 'words', 'main.mjs')] },
  { name: 'migrations', args: [join(root, 'tools', 'check', 'migrations', 'main.mjs')] },
  { name: 'boundaries', args: ['--test', join(root, 'tools', 'boundaries')] },
  { name: 'rules of lint', args: ['--test', join(root, 'tools', 'lint')] },
  { name: 'rooms', args: [join(root, 'tools', 'check', 'rooms', 'main.mjs')] },
  { name: 'record of peers', args: [join(root, 'tools', 'check', 'passed', 'main.mjs')] },
  { name: 'deployment', args: ['--test', join(root, 'tools', 'deployment')] },
];
