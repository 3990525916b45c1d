/** Proves that a comment that turns off rules unseen fails lint. Run by `npm run check`. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ESLint } from 'eslint';

const root = join(import.meta.dirname, '..', '..');
const eslint = new ESLint({ cwd: root });
const RULE = 'plat/named-rules';

async function rulesBroken(comment, file) {
  const source = `${comment}\nvar one = 1;\nexport { one };\n`;
  const [{ messages }] = await eslint.lintText(source, { filePath: join(root, file) });
  return messages.map(({ ruleId }) => ruleId);
}

const REFUSED = [
  '// oxlint-disable-next-line typescript/no-floating-promises',
  '/* oxlint-disable */',
  '/* oxlint-disable typescript/await-thenable -- a reason */',
  '/* oxlint-enable */',
  '/* eslint-disable */',
  '/* eslint-disable -- a reason */',
  '// eslint-disable-next-line',
  '// eslint-disable-next-line -- a reason',
  `/* eslint-disable ${RULE} */ // oxlint-disable-line`,
];
const ALLOWED = [
  '// eslint-disable-next-line no-var -- a reason',
  '/* eslint-disable no-var */',
  '// a word',
];

for (const file of ['apps/plat/src/terminal/x.spec.ts', 'libs/local/src/x.tsx', 'tools/lint/x.mjs']) {
  describe(`lint of ${file}`, () => {
    for (const comment of REFUSED) {
      it(`refuses ${comment}`, async () => {
        assert.ok((await rulesBroken(comment, file)).includes(RULE));
      });
    }
    for (const comment of ALLOWED) {
      it(`allows ${comment}`, async () => {
        assert.ok(!(await rulesBroken(comment, file)).includes(RULE));
      });
    }
  });
}
