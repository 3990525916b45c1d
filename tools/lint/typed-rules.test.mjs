/** Proves that each rule that needs types finds its fault. Run by `npm run check`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { typedRules } from './typed-rules.mjs';

const FAULTS = {
  'no-floating-promises': 'export const fault = (): void => {\n  Promise.resolve(1);\n};\n',
  'no-misused-promises': 'export const fault = (): number => (Promise.resolve(1) ? 1 : 2);\n',
  'await-thenable': 'export const fault = async (): Promise<number> => await 1;\n',
  'switch-exhaustiveness-check':
    "export function fault(word: 'a' | 'b'): void {\n  switch (word) {\n    case 'a':\n  }\n}\n",
  'prefer-readonly':
    'export class Fault {\n  constructor(private one: number) {}\n  get two(): number {\n    return this.one;\n  }\n}\n',
};

describe('the rules that need types', () => {
  const root = join(import.meta.dirname, '..', '..');
  const { rules } = JSON.parse(readFileSync(join(import.meta.dirname, 'typed-rules.json'), 'utf8'));
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plat-typed-rules-'));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true } }));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function check(source) {
    writeFileSync(join(folder, 'source.ts'), source);
    const { status, stdout, stderr } = spawnSync(process.execPath, typedRules('.'), {
      cwd: folder,
      encoding: 'utf8',
      // oxlint looks for it below the working folder.
      env: { ...process.env, OXLINT_TSGOLINT_PATH: join(root, 'node_modules', '.bin', 'tsgolint') },
    });
    return { status, output: stdout + stderr };
  }

  it('each have a fault here', () =>
    assert.deepEqual(
      Object.keys(rules).sort(),
      Object.keys(FAULTS)
        .map((rule) => `typescript/${rule}`)
        .sort(),
    ));

  for (const [rule, source] of Object.entries(FAULTS)) {
    it(`find a fault of ${rule}`, () => {
      const { status, output } = check(source);
      assert.match(output, new RegExp(`typescript\\(${rule}\\)`));
      assert.equal(status, 1);
    });
  }

  it('pass a sound source', () => {
    const { status, output } = check('export const sound = async (): Promise<number> => 1;\n');
    assert.equal(status, 0, output);
  });
});
