import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Contract } from './contract.mjs';
import { membersOf, namedRules } from './named-rules.mjs';
import { examine } from './repository.mjs';

/** Writes references in two pieces, because the check reads this file too. */
const spec = (text: string) => `${'Spec'}: ${text}`;
const letter = (text: string) => `${'Rule'} ${text}`;
const condition = (text: string) => `${'Condition'} ${text}`;

const API = `# API

## Review

### Uniqueness rules

1. <a id="uniqueness-rules-1"></a>One name.

## MERGED report verification

- <a id="merged-report-verification-a2"></a>**A2.** On the target.

## Builds

1. <a id="builds-1"></a>The move itself.
2. <a id="builds-2"></a>Without a review.
4. <a id="builds-4"></a>The fields.
`;
const CLIENT = '# Client\n\n## Commands\n\n| <a id="plat-exec-push"></a>`plat exec push` | Pushes |\n';
const RULES = ['a1', 'b7', 'b8', 'b9'].map((id) => `<a id="${id}"></a>**A rule.**\n`).join('\n');
const VERIFICATION = 'API, MERGED report verification';
const CONTRACT = { 'api.md': API, 'client.md': CLIENT, 'rules.md': RULES };

describe('a reference of a comment', () => {
  const inComment = (text: string) =>
    namedRules(`const x = 1;\n/** Why. ${text} */\n`, { isDocument: false });

  it.each([
    [letter('B10 orders the checks.'), ['B10']],
    [`${letter('A2')} and, without the word, B1.`, ['A2']],
    [`${'Rule'} 4 of a heading is none of these.`, []],
    [`Rules${' '}B4, B5, and B7.`, ['B4, B5, and B7']],
    [`rules${' '}B7 to B13, and more`, ['B7 to B13']],
    [spec('API, Builds, rules 1 and 3.'), ['API, Builds, rules 1 and 3']],
    [spec('API, Builds, rule 4: a RECORDED build has one'), ['API, Builds, rule 4']],
    [`(${spec('Client, plat exec push')}) and more`, ['Client, plat exec push']],
    [`${spec('API, Errors')}; ${letter('A8.')}`, ['A8', 'API, Errors']],
    [condition('A2 holds.'), ['A2']],
    ['The decision of 17 people. A specification: none.', []],
  ])('is read up to its end: %s', (text, expected) => {
    expect(inComment(text).map((rule) => rule.text)).toEqual(expected);
  });

  it.each([
    ['a block', ` * ${spec('Client, Gate drive rules,')}\n   *   rules 1 to 3. */`],
    ['lines', `// ${spec('Client, Gate drive rules,')}\n  // rules 1 to 3.`],
    ['SQL', `-- ${spec('Client, Gate drive rules,')}\n-- rules 1 to 3.`],
  ])('goes on in the next line of %s', (_, text) => {
    const [rule] = namedRules(`x\n${text}`, { isDocument: false });
    expect(rule).toEqual({ kind: 'spec', text: 'Client, Gate drive rules, rules 1 to 3', line: 2 });
  });

  it('ends with its comment, and does not go on in code', () => {
    const [rule] = namedRules(`// ${spec('API, Builds')}\nconst x = 1;`, { isDocument: false });
    expect(rule?.text).toBe('API, Builds');
  });

  it('goes on in the next line of a document, within its paragraph', () => {
    const text = `see ${spec('API,')}\nBuilds\n\nAnother one`;
    expect(namedRules(text, { isDocument: true })[0]?.text).toBe('API, Builds');
  });
});

describe('a list of rules', () => {
  it.each([
    ['B7 to B9', ['B7', 'B8', 'B9']],
    ['D3, D4', ['D3', 'D4']],
    ['2, 3 and 6', ['2', '3', '6']],
    ['A2 to B4', ['A2', 'B4']],
    ['B9 to B7', []],
  ])('names %s one by one', (list, members) => {
    expect(membersOf(list)).toEqual(members);
  });
});

describe('the contract', () => {
  const resolve = (kind: 'spec' | 'rule' | 'condition', text: string) =>
    new Contract(CONTRACT).resolve({ kind, text });

  it.each([
    ['spec', 'API, Builds', ['api.md#builds']],
    ['spec', 'API, Builds, rules 1 to 2', ['api.md#builds-1', 'api.md#builds-2']],
    ['spec', 'API, Review, Uniqueness rules', ['api.md#uniqueness-rules']],
    ['spec', 'API, Review, Uniqueness rules, rule 1', ['api.md#uniqueness-rules-1']],
    ['spec', 'API, MERGED report verification, A2', ['api.md#merged-report-verification-a2']],
    ['spec', 'API, MERGED report verification, condition A2', ['api.md#merged-report-verification-a2']],
    ['spec', 'Client, plat exec push', ['client.md#plat-exec-push']],
    ['rule', 'B7 to B9', ['rules.md#b7', 'rules.md#b8', 'rules.md#b9']],
    ['condition', 'A2', ['api.md#merged-report-verification-a2']],
  ] as const)('has the rule of %s %s', (kind, text, anchors) => {
    expect(resolve(kind, text)).toEqual({ anchors, missing: [] });
  });

  it.each([
    ['spec', 'API, Bilds', ['API, Bilds']],
    ['spec', 'API, Builds, rules 2 to 4', ['API, Builds, rule 3']],
    ['spec', 'API, Builds, whatever follows', ['API, Builds, whatever follows']],
    ['spec', 'API, Builds, Uniqueness rules', ['API, Builds, Uniqueness rules']],
    ['spec', `${VERIFICATION}, ${'condition'} A9`, [`${VERIFICATION}, A9`]],
    ['spec', 'Client, Builds', ['Client, Builds']],
    ['spec', 'Promises', ['Promises']],
    ['spec', 'Rules, A1', ['Rules, A1']],
    ['rule', 'B8, B10', ['B10']],
    ['rule', 'X1', ['X1']],
    ['rule', 'B9 to B7', ['B9 to B7']],
    ['condition', 'C1', ['C1']],
  ] as const)('has no rule for %s %s', (kind, text, missing) => {
    expect(resolve(kind, text).missing).toEqual(missing);
  });

  it('has each anchor once', () => {
    const twice = { ...CONTRACT, 'api-routes.md': '# Routes\n\n## Builds\n' };
    expect(new Contract(twice).faults).toEqual(['api-routes.md:3: #builds is at api.md:13 already']);
  });
});

describe('a repository', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'plat-references-'));
    for (const [name, text] of Object.entries(CONTRACT)) write(`docs/contract/${name}`, text);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const faults = () => examine(root).faults;

  it('has no fault if every reference and link leads somewhere', () => {
    write('apps/x/a.ts', `/** ${letter('A1')}, see docs/decisions/0001. */`);
    write(
      'docs/decisions/0001-why.md',
      '# Why\n\nSee [a rule](../contract/api.md#builds-1) and [below](#why).\n',
    );
    write(
      'README.md',
      '[docs](docs/), [far](https://example.com/x#y), `[no](link)`\n\n```\n[no](link)\n```\n',
    );
    expect(examine(root)).toEqual({ faults: [], references: 2, links: 3 });
  });

  it.each([
    ['apps/x/a.ts', `\n// ${letter('B10')}`, 'apps/x/a.ts:2: docs/contract has no rule for "B10"'],
    [
      'libs/x/a.sql',
      `-- ${spec('API, Builds, rule 9')}.`,
      'libs/x/a.sql:1: docs/contract has no rule for "API, Builds, rule 9"',
    ],
    ['tools/a.mjs', `// ${letter('Z1')}`, 'tools/a.mjs:1: docs/contract has no rule for "Z1"'],
    ['deploy/Dockerfile', `# ${letter('C1')}`, 'deploy/Dockerfile:1: docs/contract has no rule for "C1"'],
    ['docs/a.md', letter('C1'), 'docs/a.md:1: docs/contract has no rule for "C1"'],
    ['libs/a.ts', '// See docs/decisions/0099.', 'libs/a.ts:1: there is no docs/decisions/0099'],
    ['docs/a.md', '# A\n\n[b](b.md)', 'docs/a.md:3: the link leads to docs/b.md, which is not there'],
    ['docs/a.md', '[b](contract/api.md#c)', 'docs/a.md:1: docs/contract/api.md has no anchor #c'],
    ['ARCHITECTURE.md', '# A\n[b](#c)', 'ARCHITECTURE.md:2: ARCHITECTURE.md has no anchor #c'],
  ])('names what leads nowhere in %s', (path, text, fault) => {
    write(path, text);
    expect(faults()).toEqual([fault]);
  });

  it('does not read what was made from other sources', () => {
    for (const folder of ['node_modules', 'dist', 'generated']) {
      write(`libs/${folder}/a.ts`, `// ${letter('Z1')}`);
    }
    expect(faults()).toEqual([]);
  });
});
