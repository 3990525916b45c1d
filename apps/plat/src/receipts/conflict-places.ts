import type { Git } from '../git/git';
import { listed } from '../git/listed';
import type { RecipeMerge } from '../merge/merge-by-recipe';
import { printableLine } from '../terminal/printable';
import { findDecisions, linesOf, type MarkerNames, readConflictText } from './conflict-text';
import { type MergedAgain, nameSome } from './merged-again';

/** A merge with conflicts, and the tree that landed. */
export interface DecidedMerge {
  merged: Extract<RecipeMerge, { outcome: 'conflict' }>;
  /** Hashes of the two commits that were merged. */
  sides: MarkerNames;
  landedTree: string;
}

/** Mode and hash of a file. */
interface Entry {
  mode: string;
  id: string;
}

/** A path with a conflict, as it is in git's merge, on both sides, and as it landed. */
interface ConflictPath {
  path: string;
  merged: Entry | undefined;
  target: Entry | undefined;
  source: Entry | undefined;
  landed: Entry | undefined;
  /** Whether both sides added it. */
  isAddedTwice: boolean;
}

/** git's kinds of conflicts whose place is the path itself. It is unclear where those of renames and submodules belong. */
const PLAIN_KINDS: readonly string[] = [
  'CONFLICT (contents)',
  'CONFLICT (binary)',
  'CONFLICT (modify/delete)',
];

/** Most paths with a conflict that are compared. */
const CONFLICTS_MAX = 200;

type PathVerdict =
  { verdict: 'BY_HAND'; places: string[] } | { verdict: 'DIVERGENT'; detail: string } | { verdict: 'OPEN' };

/**
 * Judges a landing whose merge has conflicts. Everything outside of them must be as merged, and each place must be
 * decided: the target's side alone, nothing, or git's markers are no decision.
 */
export async function judgeConflicts(git: Git, decided: DecidedMerge): Promise<MergedAgain> {
  const { merged, landedTree } = decided;
  const paths = [...new Set([...merged.files, ...merged.conflicts.flatMap((conflict) => conflict.paths)])];
  const outside = (await listChangedPaths(git, merged.tree, landedTree)).filter(
    (path) => !paths.includes(path),
  );
  if (outside.length > 0) {
    return divergent(
      `the landed tree differs from the merge outside of its conflicts, in ${nameSome(outside)}`,
    );
  }
  if (paths.length > CONFLICTS_MAX) {
    return { verdict: 'UNDECIDED', detail: `git's merge has conflicts in ${paths.length} files` };
  }
  const places: string[] = [];
  const open: string[] = [];
  for (const conflict of await readPaths(git, decided, paths)) {
    const found = isPlain(merged, conflict.path)
      ? await judgePath(git, decided.sides, conflict)
      : ({ verdict: 'OPEN' } as const);
    if (found.verdict === 'DIVERGENT') return divergent(found.detail);
    if (found.verdict === 'OPEN') open.push(conflict.path);
    else places.push(...found.places);
  }
  if (open.length > 0) {
    const detail = `git's merge has conflicts whose places it does not show, in ${nameSome(open)}`;
    return { verdict: 'UNDECIDED', detail: printableLine(detail) };
  }
  return { verdict: 'BY_HAND', detail: printableLine(`a person decided conflicts, in ${nameSome(places)}`) };
}

const divergent = (detail: string): MergedAgain => ({ verdict: 'DIVERGENT', detail: printableLine(detail) });

/** The paths in which two trees differ. */
export async function listChangedPaths(git: Git, one: string, other: string): Promise<string[]> {
  return listed(await git.run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', one, other]));
}

function isPlain({ conflicts }: DecidedMerge['merged'], path: string): boolean {
  const own = conflicts.filter(({ paths }) => paths.includes(path));
  return own.length > 0 && own.every(({ kind, paths }) => PLAIN_KINDS.includes(kind) && paths.length === 1);
}

async function readPaths(
  git: Git,
  { merged, sides, landedTree }: DecidedMerge,
  paths: readonly string[],
): Promise<ConflictPath[]> {
  const trees = [merged.tree, sides.target, sides.source, landedTree];
  const [ofMerge, ofTarget, ofSource, ofLanding] = await Promise.all(
    trees.map((tree) => readEntries(git, tree, paths)),
  );
  const addedTwice = new Set(
    merged.conflicts.filter(({ text }) => text.includes('(add/add)')).flatMap((conflict) => conflict.paths),
  );
  return paths.map((path) => ({
    path,
    merged: ofMerge?.get(path),
    target: ofTarget?.get(path),
    source: ofSource?.get(path),
    landed: ofLanding?.get(path),
    isAddedTwice: addedTwice.has(path),
  }));
}

async function readEntries(git: Git, tree: string, paths: readonly string[]): Promise<Map<string, Entry>> {
  const asked = ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', tree, '--', ...paths];
  const entries = listed(await git.run(asked)).map((line): [string, Entry] => {
    const [facts = '', path = ''] = split(line, '\t');
    const [mode = '', , id = ''] = facts.split(' ');
    return [path, { mode, id }];
  });
  return new Map(entries);
}

function split(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + separator.length)];
}

const isSame = (one: Entry | undefined, other: Entry | undefined): boolean =>
  one?.mode === other?.mode && one?.id === other?.id;

const isFile = (entry: Entry | undefined): entry is Entry => entry?.mode.startsWith('100') === true;

async function judgePath(git: Git, sides: MarkerNames, conflict: ConflictPath): Promise<PathVerdict> {
  const { path, merged, landed } = conflict;
  // A renamed file has its conflict at the new path, at which one side has no file.
  const text = isFile(merged) ? await readBlob(git, merged.id) : '';
  const parsed = readConflictText(text, sides);
  if (parsed === undefined) {
    // The lines of a file that has them are no place of their own.
    if (text.includes(`<<<<<<< ${sides.target}`)) return { verdict: 'OPEN' };
    return judgeWhole(conflict);
  }
  if (!isFile(landed) || !modesOf(conflict).includes(landed.mode)) {
    return { verdict: 'DIVERGENT', detail: `${path} landed in another mode, or not at all` };
  }
  const found = findDecisions(parsed, linesOf(await readBlob(git, landed.id)));
  switch (found?.outcome) {
    case undefined:
      return { verdict: 'OPEN' };
    case 'outside':
      return { verdict: 'DIVERGENT', detail: `${path} differs from the merge outside of its conflicts` };
    case 'undecided':
      return {
        verdict: 'DIVERGENT',
        detail: `a conflict in ${path} is not decided: it has the target's side alone, nothing, or git's markers`,
      };
    case 'decided':
      return {
        verdict: 'BY_HAND',
        places: found.places.map(({ start, end }) => placeText(path, start, end)),
      };
  }
}

/** A file that both sides added has the mode of either. */
const modesOf = ({ merged, target, source, isAddedTwice }: ConflictPath): (string | undefined)[] =>
  isAddedTwice ? [target?.mode, source?.mode] : [merged?.mode];

/** The place of a conflict of whole files: one side deleted it, or its lines cannot be merged. */
function judgeWhole({ path, target, source, landed }: ConflictPath): PathVerdict {
  if (isSame(landed, source)) return { verdict: 'BY_HAND', places: [path] };
  if (isSame(landed, target)) {
    return { verdict: 'DIVERGENT', detail: `the conflict of ${path} has the target's side alone` };
  }
  if (landed === undefined) return { verdict: 'DIVERGENT', detail: `nothing landed at ${path}` };
  return { verdict: 'BY_HAND', places: [path] };
}

/** A place without lines stands before the line that it names. */
function placeText(path: string, start: number, end: number): string {
  return end - start <= 1 ? `${path}:${start + 1}` : `${path}:${start + 1}-${end}`;
}

async function readBlob(git: Git, id: string): Promise<string> {
  return (await git.bytes(['cat-file', 'blob', id])).toString('latin1');
}
