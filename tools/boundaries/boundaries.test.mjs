/**
 * Proves that forbidden imports fail lint: without a project graph the boundary rule checks and reports nothing.
 * Each case lints one line as if it stood in that file. Run by `npm run check`, with node's own test runner.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const root = join(import.meta.dirname, '..', '..');
// Rules that need types need the file on disk as well.
const eslint = new ESLint({ cwd: root, overrideConfig: [tseslint.configs.disableTypeChecked] });

const BOUNDARY = '@nx/enforce-module-boundaries';

const FORBIDDEN = [
  ['a contract imports a kit', 'libs/contracts/core/src/x.ts', '@plat/remote'],
  [
    'a contract imports another service’s contract',
    'libs/contracts/reviews/src/x.ts',
    '@plat/contracts/builds',
  ],
  ['a kit imports an app', 'libs/service/src/x.ts', '@plat/reviews'],
  ['an app imports an app', 'apps/reviews/src/x.ts', '@plat/builds'],
  ['the client imports a server kit', 'apps/plat/src/x.ts', '@plat/database'],
  ['the client imports DTO classes', 'apps/plat/src/x.ts', '@plat/contracts/fields'],
  ['the client imports NestJS', 'apps/plat/src/x.ts', '@nestjs/common'],
  ['the client imports pg', 'apps/plat/src/x.ts', 'pg'],
  ['the client imports typeorm', 'libs/api-client/src/x.ts', 'typeorm'],
  ['a server imports the client of the API', 'apps/builds/src/x.ts', '@plat/api-client'],
  ['a server imports the runtime contract of the client', 'apps/platform/src/x.ts', '@plat/environments'],
  ['a server imports axios', 'libs/service/src/x.ts', 'axios'],
  ['a server imports oclif', 'apps/audit/src/x.ts', '@oclif/core'],
  ['a pure project imports a package', 'libs/lifecycle/src/x.ts', 'yaml'],
  ['a pure contract imports a package', 'libs/contracts/core/src/x.ts', 'jose'],
  ['a shared kit imports a server kit', 'libs/remote/src/x.ts', '@plat/service'],
  ['the kit of both sides imports a server package', 'libs/local/src/x.ts', 'pg'],
  ['production code imports testing', 'libs/database/src/x.ts', '@plat/testing'],
  ['a client’s production code imports testing', 'apps/plat/src/x.ts', '@plat/testing'],
  ['a spec of the client imports a service', 'apps/plat/src/x.spec.ts', '@plat/builds'],
  ['a spec of a service imports the client', 'apps/audit/src/x.db.spec.ts', '@plat/plat/sealed-log'],
  [
    'another project is imported by a relative path',
    'apps/reviews/src/x.ts',
    '../../../libs/remote/src/repository',
  ],
];

const ALLOWED = [
  ['standalone composes the services', 'apps/standalone/src/x.ts', '@plat/builds'],
  ['a service imports kits and contracts', 'apps/reviews/src/x.ts', '@plat/contracts/reviews'],
  ['the client imports a pure kit', 'apps/plat/src/x.ts', '@plat/remote'],
  ['the client imports the kit of both sides', 'apps/plat/src/x.ts', '@plat/local'],
  ['a server kit imports the kit of both sides', 'libs/embedded/src/x.ts', '@plat/local'],
  ['a pure project imports a module of Node', 'libs/remote/src/x.ts', 'node:crypto'],
  ['a spec of a service drives another', 'apps/reviews/src/x.http.spec.ts', '@plat/builds'],
  ['a spec of the whole product imports a service', 'apps/e2e/src/x.http.spec.ts', '@plat/audit'],
  ['a spec of the whole product runs the client', 'apps/e2e/src/x.http.spec.ts', '@plat/plat/sealed-log'],
  ['a spec imports testing', 'libs/database/src/x.db.spec.ts', '@plat/testing'],
  ['a spec of the client imports testing', 'apps/plat/src/x.spec.ts', '@plat/testing'],
  ['a spec of a pure project imports fast-check', 'libs/remote/src/x.spec.ts', 'fast-check'],
];

const HOUSE_RULES = [
  [
    'the environment is read outside of a config',
    'no-restricted-properties',
    'export const home = process.env.HOME;',
  ],
  ['process.exit is called', 'no-restricted-properties', 'process.exit(1);'],
  [
    'a file of a project is imported by its path',
    'no-restricted-imports',
    "import '@plat/contracts/core/src/ids';",
  ],
  [
    'a function takes four parameters',
    'no-restricted-syntax',
    'export function f(_a = 1, _b = 2, _c = 3, _d = 4) {}',
  ],
  [
    'a member of a shape is readonly',
    'no-restricted-syntax',
    'export interface Shape {\n  readonly member: string;\n}',
  ],
  ['any is a type', '@typescript-eslint/no-explicit-any', 'export const x: any = 1;'],
  ['a file has more than 300 lines', 'max-lines', '//\n'.repeat(301)],
  [
    'a function has more than 50 lines',
    'max-lines-per-function',
    `export function f() {\n${'//\n'.repeat(51)}}`,
  ],
];

/** Focused and skipped tests. */
const UNTESTED = [
  "it.only('x', () => undefined);",
  "it['only']('x', () => undefined);",
  "it.only.each([1])('x', () => undefined);",
  "it.concurrent.only('x', () => undefined);",
  "test.only('x', () => undefined);",
  "describe.only('x', () => undefined);",
  "const one = it.only;\none('x', () => undefined);",
  "fit('x', () => undefined);",
  "fit.each([1])('x', () => undefined);",
  "fdescribe('x', () => undefined);",
  "it('x', { only: true }, () => undefined);",
  "xit('x', () => undefined);",
  "xdescribe('x', () => undefined);",
  "it.skip('x', () => undefined);",
  "describe.skip.each([1])('x', () => undefined);",
  "it.todo('x');",
];

const TESTED = [
  "it('x', () => undefined);",
  "it.each([1])('x', () => undefined);",
  "(process.platform === 'linux' ? it : it.skip)('x', () => undefined);",
  "const itAsRoot = process.getuid?.() === 0 ? it : it.skip;\nitAsRoot('x', () => undefined);",
];

async function listBrokenRules(file, code) {
  const [result] = await eslint.lintText(code, { filePath: join(root, file) });
  return result.messages.map((message) => message.ruleId ?? message.message);
}

describe('lint refuses that', () => {
  for (const [rule, file, target] of FORBIDDEN) {
    it(rule, async () => {
      const rules = await listBrokenRules(file, `import * as x from '${target}';\nexport const y = x;\n`);
      assert.ok(rules.includes(BOUNDARY), `${target} may be imported by ${file}`);
    });
  }
  for (const [rule, ruleId, code] of HOUSE_RULES) {
    it(rule, async () => {
      assert.deepEqual(await listBrokenRules('libs/service/src/x.ts', code), [ruleId]);
    });
  }
});

describe('lint refuses focused and skipped tests', () => {
  for (const code of UNTESTED) {
    for (const file of [
      'libs/service/src/x.spec.ts',
      'tools/x/x.test.mjs',
      'apps/e2e/src/x.conformance.ts',
    ]) {
      it(`${file}: ${code}`, async () => {
        assert.ok((await listBrokenRules(file, code)).includes('no-restricted-syntax'));
      });
    }
  }
  for (const code of TESTED) {
    it(`but not ${code}`, async () => {
      assert.deepEqual(await listBrokenRules('libs/service/src/x.spec.ts', code), []);
    });
  }
});

describe('lint accepts that', () => {
  for (const [rule, file, target] of ALLOWED) {
    it(rule, async () => {
      assert.deepEqual(
        await listBrokenRules(file, `import * as x from '${target}';\nexport const y = x;\n`),
        [],
      );
    });
  }
});
