import { GitRemote, type ImportedCommit } from '@plat/testing';
import fc from 'fast-check';
import { askInProcess } from './ask-in-process';

const RUNS = 30;
const FILES = ['one', 'folder/two', 'folder/deep/three'];
const LINES = 12;

/** An edit of one line of one file; of two edits of the same line the later one wins. */
interface Edit {
  file: number;
  line: number;
  kind: 'replace' | 'insert' | 'delete' | 'remove file' | 'add file';
}
/** What the next commit of a branch does. */
interface Step {
  branch: 'source' | 'target';
  action: 'edit' | 'land' | 'land most' | 'merge' | 'revert';
  edit: Edit;
  choice: number;
  date: number;
}

const edits = fc.record<Edit>({
  file: fc.nat({ max: FILES.length - 1 }),
  line: fc.nat({ max: LINES - 1 }),
  kind: fc.constantFrom('replace', 'insert', 'delete', 'replace', 'insert', 'remove file', 'add file'),
});
const steps = fc.array(
  fc.record<Step>({
    branch: fc.constantFrom('source', 'target'),
    action: fc.constantFrom('edit', 'edit', 'edit', 'land', 'land', 'land most', 'merge', 'revert'),
    edit: edits,
    choice: fc.nat(),
    date: fc.integer({ min: 1e9, max: 1e9 + 20 }),
  }),
  { minLength: 2, maxLength: 12 },
);

/** A history of two branches. A commit's content is the set of edits that it has, applied to the first commit. */
function build(plan: readonly Step[]): { commits: ImportedCommit[]; source: number; target: number } {
  const allEdits: Edit[] = [];
  const commits: ImportedCommit[] = [{ parents: [], date: 1e9, files: render(allEdits, new Set()) }];
  const branches = { source: { tip: 0, has: new Set<number>() }, target: { tip: 0, has: new Set<number>() } };
  for (const { branch, action, edit, choice, date } of plan) {
    const own = branches[branch];
    const other = branches[branch === 'source' ? 'target' : 'source'];
    if (action === 'edit') own.has = new Set([...own.has, allEdits.push(edit) - 1]);
    if (action === 'land' || action === 'merge') own.has = new Set([...own.has, ...other.has]);
    if (action === 'land most') own.has = new Set([...own.has, ...without(other.has, choice)]);
    if (action === 'revert') own.has = without(own.has, choice);
    const parents = action === 'merge' && own.tip !== other.tip ? [own.tip, other.tip] : [own.tip];
    own.tip = commits.push({ parents, date, files: render(allEdits, own.has) }) - 1;
  }
  return { commits, source: branches.source.tip, target: branches.target.tip };
}

function without(all: ReadonlySet<number>, choice: number): Set<number> {
  return new Set([...all].filter((_, index) => index !== choice % all.size));
}

function render(allEdits: readonly Edit[], has: ReadonlySet<number>): Record<string, string> {
  const entries = FILES.flatMap((path, file) => {
    const lines = Array.from({ length: LINES }, (_, line) => [`${path} ${line}\n`]);
    let present = true;
    allEdits.forEach((edit, id) => {
      if (edit.file !== file || !has.has(id)) return;
      if (edit.kind === 'remove file') present = false;
      if (edit.kind === 'add file') present = true;
      if (edit.kind === 'replace') lines[edit.line] = [`edit ${id}\n`];
      if (edit.kind === 'delete') lines[edit.line] = [];
      if (edit.kind === 'insert') lines[edit.line]?.push(`edit ${id}\n`);
    });
    return present ? [[path, lines.flat().join('')]] : [];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** The same question, asked of the git command. */
class Oracle {
  constructor(private readonly remote: GitRemote) {}

  async judge(): Promise<string> {
    const { remote } = this;
    if ((await this.rows('rev-list', 'main')).includes(await remote.git('rev-parse', 'source')))
      return 'ancestor';
    const bases = await this.rows('merge-base', '--all', 'source', 'main');
    const chain = await this.rows('rev-list', '--first-parent', 'main', '--not', ...bases);
    for (const base of bases) {
      const paths = await this.rows('diff', '--name-only', '--no-renames', base, 'source');
      if (paths.length === 0 || !(await this.anyCarries(chain, base, paths))) return 'not_landed';
    }
    return 'change_set';
  }

  private async anyCarries(chain: string[], base: string, paths: string[]): Promise<boolean> {
    for (const commit of chain) {
      const carried = await Promise.all(paths.map((path) => this.carries(commit, base, path)));
      if (carried.every(Boolean)) return true;
    }
    return false;
  }

  private async carries(commit: string, base: string, path: string): Promise<boolean> {
    const [inCommit, inSource, inBase] = await Promise.all(
      [commit, 'source', base].map((tree) => this.remote.git('ls-tree', tree, '--', path)),
    );
    if (inCommit === inSource) return true;
    if (!inCommit || !inSource || !inBase) return false;
    const [wanted, found] = [await this.hunks(base, 'source', path), await this.hunks(base, commit, path)];
    return wanted.every((hunk) => found.includes(hunk));
  }

  private async hunks(base: string, commit: string, path: string): Promise<string[]> {
    const diff = await this.remote.git(
      'diff',
      '-U0',
      '--no-renames',
      '--no-indent-heuristic',
      base,
      commit,
      '--',
      path,
    );
    const [, ...hunks] = diff.split(/^@@ /m);
    return hunks.map((hunk) => hunk.replace(/ \+.* @@.*\n/, '\n').replace(/\n$/, ''));
  }

  private async rows(...args: string[]): Promise<string[]> {
    return (await this.remote.git(...args)).split('\n').filter((row) => row !== '');
  }
}

it('condition B says what the git command finds, on random histories of two branches with skewed clocks', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const remote = await GitRemote.create();
      try {
        const { commits, source, target } = build(plan);
        await remote.import(commits, { main: target, source });
        const answer = await askInProcess({
          condition: 'history',
          address: remote.fileUrl,
          targetBranch: 'main',
          sourceBranch: 'source',
        });
        const found = !answer.verified
          ? answer.reason
          : 'proof' in answer.landing
            ? answer.landing.proof
            : '';
        seen.add(found);
        expect(found).toBe(await new Oracle(remote).judge());
      } finally {
        await remote.remove();
      }
    }),
    { numRuns: RUNS },
  );
}, 120_000);
