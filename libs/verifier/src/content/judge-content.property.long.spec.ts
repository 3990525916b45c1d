import fc from 'fast-check';
import { GitRemote, type ImportedCommit } from '@plat/testing';
import { askInProcess } from '../judge/ask-in-process';
import type { LandedContent } from './content-verdict';

/**
 * All merges of a run are in one repository, because creating repositories takes most of the time. The nightly run has
 * more.
 */
const MERGES = Number(process.env['PROPERTY_MERGES'] ?? 15);
/** Fixed, so that a change is judged by the same merges as the one before; the nightly run draws others. */
const SEED = Number(process.env['PROPERTY_SEED'] ?? 7);
jest.setTimeout(60_000 + MERGES * 4_000);
const LINES = 12;
const FILES = ['one', 'lib/two', 'lib/deep/three', 'lib/deep/four', 'doc/five'];

interface Edit {
  file: number;
  line: number;
  kind:
    'replace' | 'replace' | 'insert' | 'delete' | 'remove file' | 'add file' | 'move file' | 'move folder';
}

const kinds = (['replace', 'replace', 'insert', 'delete', 'remove file', 'add file'] as const).slice();
const moving = [...kinds, 'move file', 'move folder'] as const;
const edits = (of: readonly Edit['kind'][]) =>
  fc.array(
    fc.record<Edit>({
      file: fc.nat({ max: FILES.length - 1 }),
      line: fc.nat({ max: LINES - 1 }),
      kind: fc.constantFrom(...of),
    }),
    { minLength: 1, maxLength: 4 },
  );

type Files = Record<string, string>;

const base = (): Files =>
  Object.fromEntries(
    FILES.map((path) => [path, Array.from({ length: LINES }, (_, line) => `${path} ${line}\n`).join('')]),
  );

/** File names depend on the file alone, so that both sides may move or add the same name. */
function apply(files: Files, { file, line, kind }: Edit, author: string): Files {
  const path = FILES[file] as string;
  const { [path]: content, ...others } = files;
  if (kind === 'add file') return { ...files, [`${path}.${line % 2}`]: `${author} ${line}\n` };
  if (kind === 'move folder') {
    return Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name.replace(/^lib\//, 'src/'), text]),
    );
  }
  if (content === undefined) return files;
  const lines: string[] = content.match(/.*\n/g) ?? [];
  switch (kind) {
    case 'replace':
      return { ...files, [path]: lines.with(line % lines.length, `${author} ${line % 3}\n`).join('') };
    case 'insert':
      return { ...files, [path]: lines.toSpliced(line, 0, `${author} ${line}\n`).join('') };
    case 'delete':
      return lines.length < 3
        ? files
        : { ...files, [path]: lines.toSpliced(line % lines.length, 1).join('') };
    case 'remove file':
      return others;
    case 'move file':
      return { ...others, [`moved${line % 2}/${path}`]: content };
  }
}

interface Case {
  ours: Edit[];
  theirs: Edit[];
}

interface Landing {
  conflicts: boolean;
  /** Set if the target had all of the source: an empty commit lands. */
  isEmpty: boolean;
  /** Trees: of git's own merge, and of the merge onto the commit at which the branches parted. */
  merged: string;
  onWrongBase: string;
  /** The verdicts on commits with these trees. */
  verdicts: Record<'merged' | 'onWrongBase', LandedContent>;
}

async function landEach(cases: readonly Case[]): Promise<Landing[]> {
  const remote = await GitRemote.create();
  try {
    const commits = cases.flatMap(({ ours, theirs }, index): ImportedCommit[] => [
      { parents: [], date: 1e9 + index, files: base() },
      {
        parents: [index * 3],
        date: 1e9 + index,
        files: ours.reduce((files, edit) => apply(files, edit, 'ours'), base()),
      },
      {
        parents: [index * 3],
        date: 1e9 + index,
        files: theirs.reduce((files, edit) => apply(files, edit, 'theirs'), base()),
      },
    ]);
    const branches = Object.fromEntries(cases.map((_, index) => [`topic${index}`, index * 3 + 2]));
    const ids = await remote.import(commits, branches);
    const landings: Landing[] = [];
    for (const index of cases.keys()) {
      const [ours, theirs] = [ids[index * 3 + 1] as string, ids[index * 3 + 2] as string];
      const { tree, conflicts } = await remote.mergeTree(ours, theirs);
      const isEmpty = tree === (await remote.git('rev-parse', `${ours}^{tree}`));
      const onWrongBase = await remote.git('rev-parse', `${theirs}^{tree}`);
      const verdictOn = async (landed: string) => {
        const commitId = await remote.git('commit-tree', landed, '-p', ours, '-m', 'landed');
        const question = { condition: 'content' as const, commitId, sourceBranch: `topic${index}` };
        return (await askInProcess({ address: remote.fileUrl, ...question })) as LandedContent;
      };
      landings.push({
        conflicts: conflicts.length > 0,
        isEmpty,
        merged: tree,
        onWrongBase,
        verdicts: { merged: await verdictOn(tree), onWrongBase: await verdictOn(onWrongBase) },
      });
    }
    return landings;
  } finally {
    await remote.remove();
  }
}

const casesOf = (of: readonly Edit['kind'][]): Case[] =>
  fc.sample(fc.record<Case>({ ours: edits(of), theirs: edits(of) }), { numRuns: MERGES, seed: SEED });

describe('random merges, landed as git makes them and as made onto a wrong base', () => {
  it('the verdict is EXACT if git merges to the same tree, and DIVERGENT if the merge was made on another base', async () => {
    const cases = casesOf(kinds);
    const wrong: unknown[] = [];
    for (const [index, landing] of (await landEach(cases)).entries()) {
      const { conflicts, isEmpty, merged, onWrongBase, verdicts } = landing;
      if (isEmpty && !conflicts && verdicts.merged.verdict === 'DIVERGENT') {
        wrong.push([cases[index], verdicts.merged]);
      }
      if (isEmpty) continue;
      // git's tree of a conflict holds both sides with markers around them, so a person has to decide first.
      if (conflicts && verdicts.merged.verdict === 'EXACT') wrong.push([cases[index], verdicts.merged]);
      if (!conflicts && verdicts.merged.verdict !== 'EXACT') wrong.push([cases[index], verdicts.merged]);
      const undone = merged !== onWrongBase && !conflicts;
      if (undone && verdicts.onWrongBase.verdict !== 'DIVERGENT') {
        wrong.push([cases[index], verdicts.onWrongBase]);
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  it("with renamed files and folders, git's merge is EXACT and its conflict never EXACT", async () => {
    const cases = casesOf(moving);
    const wrong = (await landEach(cases)).flatMap(({ conflicts, verdicts: { merged } }, index) => {
      const isExact =
        merged.verdict === 'EXACT' || (merged.verdict === 'UNKNOWN' && merged.reason === 'landing_not_found');
      const isWrong = conflicts ? merged.verdict === 'EXACT' : !isExact;
      return isWrong ? [[cases[index], merged]] : [];
    });
    expect(wrong.slice(0, 3)).toEqual([]);
  });
});
