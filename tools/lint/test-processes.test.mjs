/** Proves that a test that starts a process without the starter fails lint. Run by `npm run check`. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ESLint, RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { testProcessesRule } from './test-processes.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const refused = (code, messageId) => ({ code, errors: [{ messageId }] });

new RuleTester({ languageOptions: { parser: tseslint.parser } }).run('test-processes', testProcessesRule, {
  valid: [
    "import { spawn } from '@plat/testing';",
    "import type { ChildProcess } from 'node:child_process';",
    "import { type ChildProcess } from 'node:child_process';",
    "import { once } from 'node:events'; export { once };",
    'const env = { ...testEnvironment(), A: "b" };',
    'const env = { PATH: process.env.PATH };',
    'const before = { ...process.env };',
    "jest.replaceProperty(process, 'env', { ...process.env, A: 'b' });",
  ],
  invalid: [
    refused("import { spawn } from 'node:child_process';", 'starter'),
    refused("import { type ChildProcess, spawn } from 'child_process';", 'starter'),
    refused("import * as processes from 'node:child_process';", 'starter'),
    refused("export { spawn } from 'node:child_process';", 'starter'),
    refused("const { spawn } = await import('node:child_process');", 'starter'),
    refused("const { spawn } = require('node:child_process');", 'starter'),
    refused('const env = { ...process.env, A: "b" };', 'inherited'),
    refused('spawn("git", [], { env: { ...process.env } });', 'inherited'),
    refused('spawn("git", [], { env: process.env });', 'inherited'),
  ],
});

describe('the rule', () => {
  const root = join(import.meta.dirname, '..', '..');
  const eslint = new ESLint({ cwd: root });
  const severity = async (file) =>
    (await eslint.calculateConfigForFile(join(root, file))).rules['plat/test-processes']?.[0];

  for (const file of [
    'apps/plat/src/x.spec.ts',
    'libs/testing/src/git/serve-git.ts',
    'tools/x.peers.spec.ts',
  ]) {
    it(`holds for ${file}`, async () => assert.equal(await severity(file), 2));
  }
  for (const file of ['apps/plat/src/git/git.ts', 'libs/testing/src/starter/child-process.ts']) {
    it(`does not hold for ${file}`, async () => assert.equal(await severity(file), undefined));
  }
});
