import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { LineSteps, TextChange } from '@plat/verifier';
import { isMergedByMyers, mergeByGit, type MergedByGit } from './merge-files';
import { type Triple, tripleOf, triplePlans } from './triples';

const BATCH_SIZE = 2_000;
const limits = {
  diffedFileBytes: 1024 * 1024,
  diffedFileLines: 10_000,
  diffedLines: 10_000,
  steps: new LineSteps(Infinity),
};

export interface TriplesFound {
  /** How often each answer was given, by landing and git's result. */
  tally: Map<string, number>;
  /** Accepted against git and the construction, or refused although git's merge is the landed file. */
  wrong: string[];
}

/** Compares the rule by which a file carries a change with git's merge, over generated files. */
export async function runTriples(
  { runs, seed, only }: { runs: number; seed: number; only?: number },
  progress: (done: number) => void = () => undefined,
): Promise<TriplesFound> {
  const found: TriplesFound = { tally: new Map(), wrong: [] };
  for (let done = 0; done < runs; done += BATCH_SIZE) {
    if (only !== undefined && Math.floor(only / BATCH_SIZE) * BATCH_SIZE !== done) continue;
    progress(done);
    const size = Math.min(BATCH_SIZE, runs - done);
    const triples = fc.sample(triplePlans, { numRuns: size, seed: seed + done }).map(tripleOf);
    const merged = await mergeByGit(triples);
    for (const [index, triple] of triples.entries()) {
      if (only !== undefined && only !== done + index) continue;
      await note(found, triple, { merged: merged[index]!, again: `--seed ${seed} --only ${done + index}` });
    }
  }
  return found;
}

async function note(
  { tally, wrong }: TriplesFound,
  triple: Triple,
  { merged, again }: { merged: MergedByGit; again: string },
): Promise<void> {
  if (isDeepStrictEqual(triple.base, triple.source)) return;
  const accepted = isCarried(triple);
  const witness = await witnessOf(triple, { merged, accepted });
  const isWrong = accepted ? witness === 'no merge of git' && !triple.hasLanded : witness === "git's merge";
  const key = `${triple.landing}: ${witness}, ${accepted ? 'accepted' : 'refused'}`;
  tally.set(key, (tally.get(key) ?? 0) + 1);
  if (isWrong) wrong.push(`${key} (${again})\n${JSON.stringify(triple)}`);
}

type Witness = "git's merge" | "git's merge by Myers' diff" | 'no merge of git';

/** Merges by Myers' diff only if nothing else supports an acceptance, because each such merge takes a process. */
async function witnessOf(
  triple: Triple,
  { merged, accepted }: { merged: MergedByGit; accepted: boolean },
): Promise<Witness> {
  if (merged.ontoBefore || merged.intoLanded) return "git's merge";
  const isOpen = accepted && !triple.hasLanded;
  return isOpen && (await isMergedByMyers(triple)) ? "git's merge by Myers' diff" : 'no merge of git';
}

const bytes = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(''));

/** The rule of condition B for one changed file. */
function isCarried({ base, source, before, landed }: Triple): boolean {
  const [from, to, found] = [bytes(base), bytes(source), bytes(landed)];
  if (found.equals(to)) return true;
  const change = TextChange.between(from, to, limits);
  const carrying = change?.carriedBy(found);
  return carrying === 'carried' || (carrying === 'open' && change!.isMergedIn(found, bytes(before)));
}
