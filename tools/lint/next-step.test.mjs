/** Proves that a next step with an unquoted word from outside fails lint. Run by `npm run check`. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ESLint } from 'eslint';

const root = join(import.meta.dirname, '..', '..');
/** On CI the parser would take the types from the file on disk, where the cases do not stand. */
const eslint = new ESLint({
  cwd: root,
  overrideConfig: { languageOptions: { parserOptions: { disallowAutomaticSingleRunInference: true } } },
});
/** The cases stand in the place of this file, for the compiler reads only files of the project. */
const FILE = join(root, 'apps', 'plat', 'src', 'terminal', 'duration.ts');

const REFUSED = {
  'a template': 'export const x = { next: `plat drive ${branch}` };',
  'a text in parts': "export const x = { next: 'plat drive ' + branch };",
  'a text from elsewhere': 'const next: string = branch; export const x = { next };',
  'a text that may be one': "export const x = { next: branch === '' ? 'plat drive' : branch };",
  'a text without a type': 'export const x = { next: JSON.parse(branch) };',
  'a text that is set later': 'export const x = { next: "" }; x.next = branch;',
  'a line of output': 'export const x = `Nothing is there. Next: plat drive ${branch}`;',
};

const TAKEN = {
  'a literal': "export const x = { next: 'plat drive' };",
  'one of several literals': "export const x = { next: branch === '' ? 'plat drive' : undefined };",
  'a step of nextStep': "export const x = { next: nextStep('plat drive', [branch]) };",
  'a line of output': "export const x = `next: ${nextStep('plat drive', [branch])}`;",
  'an answer of an iterator': 'export const x = { next: () => Promise.resolve(branch) };',
};

async function faults(line) {
  const head = "import { nextStep } from './next-step';\ndeclare const branch: string;\nvoid nextStep;\n";
  const [{ messages }] = await eslint.lintText(`${head}${line}\n`, { filePath: FILE });
  assert.deepEqual(
    messages.filter(({ fatal }) => fatal),
    [],
  );
  return messages.filter(({ ruleId }) => ruleId === 'plat/next-step').length;
}

describe('a next step that is no literal and not built by nextStep', () => {
  for (const [name, line] of Object.entries(REFUSED)) {
    it(`is refused: ${name}`, async () => assert.equal(await faults(line), 1));
  }
  for (const [name, line] of Object.entries(TAKEN)) {
    it(`otherwise it is taken: ${name}`, async () => assert.equal(await faults(line), 0));
  }
});
