import type { ContentVerdict } from '@plat/contracts/core';
import { findBroughtParts, type Part } from './witness-parts';
import { type Reading, readPlaces } from './witness-places';
import { WitnessRepository } from './witness-repository';
import { findSteps } from './witness-steps';
import type { Workshop } from './workshop';

export interface LandingQuestion {
  sourceTip: string;
  commitId: string;
  /** The last landing on the target before this one. */
  anchorCommitId?: string | undefined;
}

/** The verdict that the principle demands. */
export interface Expected {
  /** Several if the principle leaves them open. UNKNOWN is right only where it is one of them. */
  verdicts: readonly ContentVerdict[];
  /** The rule that decides. */
  because: string;
}

/** The verdicts on landings by git's merge alone. It shares no code with the verifier. */
export async function witnessLandings(
  workshop: Workshop,
  questions: readonly LandingQuestion[],
): Promise<Expected[]> {
  const repository = await WitnessRepository.open(workshop);
  return Promise.all(questions.map((question) => new Witness(repository, question).judge()));
}

const expect = (because: string, ...verdicts: ContentVerdict[]): Expected => ({ verdicts, because });

class Witness {
  private readonly landed: string;
  private readonly source: string;

  constructor(
    private readonly repository: WitnessRepository,
    private readonly question: LandingQuestion,
  ) {
    this.landed = question.commitId;
    this.source = question.sourceTip;
  }

  async judge(): Promise<Expected> {
    const { repository, landed, source } = this;
    if (landed === source) return expect('the source itself', 'EXACT');
    if (repository.parentsOf(landed).length > 2) return expect('more than two parents', 'UNKNOWN');
    const onto = this.ontoOf(landed);
    if (onto === undefined) return expect('no parent', 'UNKNOWN');
    if (repository.mergeBasesOf(onto, source).length === 0) return expect('no common history', 'UNKNOWN');
    if (await this.isExact(landed)) return this.judgeExact(onto);
    const merge = await repository.merge(onto, source);
    const [before, tree] = [repository.treeOf(onto), repository.treeOf(landed)];
    if (merge.clean && (await repository.areSame(merge.tree, before))) return this.judgeOthers(onto);
    const steps = await this.stepsTo(this.landed, this.commitsBefore(onto));
    if (steps !== undefined) return this.judgeSteps(steps, onto);
    const own = merge.clean
      ? expect('not as merged', 'DIVERGENT')
      : await this.judgePlaces(await readPlaces(repository, merge, { onto: before, landed: tree }), onto);
    return (await this.judgeRest(own, onto)) ?? own;
  }

  private async judgePlaces(reading: Reading, onto: string): Promise<Expected> {
    // The merge of what a person decided before conflicts again, and an empty commit lands nothing.
    if ((reading === 'refused' || reading === 'either') && this.isEmpty(this.landed)) {
      return expect('an empty commit, and a conflict', 'DIVERGENT', 'UNKNOWN');
    }
    switch (reading) {
      case 'outside':
        return expect('not as merged outside of conflicts', 'DIVERGENT');
      case 'refused':
        return this.judgeRefused(onto);
      case 'by hand':
        return expect('places by hand', 'BY_HAND');
      case 'either':
        return expect('open: places read in several ways', 'BY_HAND', 'DIVERGENT');
    }
  }

  /**
   * The commit may be the exact last step of a rebase whose first commits stand in the one before it. Others brought these, or a
   * person decided them, so that the merge of the whole source is another one. Without an anchor they are the target's history.
   */
  private async judgeRest(own: Expected, onto: string): Promise<Expected | undefined> {
    const { repository, landed, source } = this;
    const chain = [landed, ...this.commitsBefore(onto)];
    const rest = await findSteps(repository, { chain, source, onto }, { mayBeThere: true });
    if (rest === undefined) return undefined;
    const isDisputed = own.verdicts.includes('DIVERGENT') && own.because.includes('place');
    return expect(
      `open: ${own.because}, or the rest of a rebase`.replace('open: open: ', 'open: '),
      ...(['BY_HAND', 'SAME_CHANGE', ...(isDisputed ? ['DIVERGENT'] : [])] as ContentVerdict[]),
    );
  }

  /** A person may have decided the conflict of one commit of a rebase, with which the whole merge conflicts again. */
  private async judgeRefused(onto: string): Promise<Expected> {
    const ofTarget = this.repository.historyOf(onto);
    const own = [...this.repository.historyOf(this.source)].filter((id) => !ofTarget.has(id));
    const mayBeRebase = own.length > 1 && (await this.partsBefore(onto)).size > 0;
    return mayBeRebase
      ? expect('open: a refused place, a part before', 'DIVERGENT', 'BY_HAND')
      : expect('a refused place', 'DIVERGENT');
  }

  /** The recipe's merge is clean and makes the commit's tree, and the commit brings something. */
  private async isExact(commitId: string): Promise<boolean> {
    const onto = this.ontoOf(commitId);
    if (onto === undefined || this.isEmpty(commitId)) return false;
    const { clean, tree } = await this.repository.merge(onto, this.source);
    return clean && this.repository.areSame(tree, this.repository.treeOf(commitId));
  }

  private isEmpty(commitId: string): boolean {
    const { repository } = this;
    const onto = this.ontoOf(commitId);
    return onto !== undefined && repository.treeOf(onto) === repository.treeOf(commitId);
  }

  /** The parent onto which a commit merges the source: the second one of a merge that has the source first. */
  private ontoOf(commitId: string): string | undefined {
    const [first, second] = this.repository.parentsOf(commitId);
    return first === this.source && second !== undefined ? second : first;
  }

  /** The target's commits before the landed one and after the anchor or the merge base, newest first. */
  private commitsBefore(onto: string): string[] {
    const ofSource = this.repository.historyOf(this.source);
    const found: string[] = [];
    let at: string | undefined = onto;
    while (at !== undefined && at !== this.question.anchorCommitId && !ofSource.has(at)) {
      found.push(at);
      at = this.ontoOf(at);
    }
    return found;
  }

  /** @param before the commits before it, newest first */
  private stepsTo(commitId: string, before: readonly string[]): Promise<string[] | undefined> {
    const onto = this.ontoOf(commitId) as string;
    return findSteps(this.repository, { chain: [commitId, ...before], source: this.source, onto });
  }

  private async judgeExact(onto: string): Promise<Expected> {
    const parts = await this.partsBefore(onto);
    if (parts.size === 0) return expect('as merged', 'EXACT');
    const steps = await this.stepsTo(this.landed, this.commitsBefore(onto));
    const { verdicts } = judgeParts(parts, steps);
    const isCertain = [...parts.values()].includes('certain');
    if (this.question.anchorCommitId === undefined) {
      return expect('open: as merged, a part before, no anchor', 'EXACT', ...verdicts);
    }
    if (!isCertain) return expect('open: as merged, perhaps a part before', 'EXACT', ...verdicts);
    if (verdicts.length > 1) return expect('open: as merged, steps, perhaps others before', ...verdicts);
    return expect(`as merged, ${steps ? 'steps' : 'a part before'}`, ...verdicts);
  }

  private async judgeSteps(steps: readonly string[], onto: string): Promise<Expected> {
    if (!(await this.stand(steps))) {
      return expect('open: steps, one of which does not stand', 'SAME_CHANGE', 'BY_HAND', 'DIVERGENT');
    }
    const { verdicts } = judgeParts(await this.partsBefore(onto), steps);
    if (verdicts.length === 1 && verdicts[0] === 'SAME_CHANGE') return expect('steps', 'SAME_CHANGE');
    return expect('open: steps, a part of others before', 'SAME_CHANGE', 'BY_HAND');
  }

  private partsBefore(onto: string): Promise<Map<string, Part>> {
    return findBroughtParts(this.repository, {
      commits: this.commitsBefore(onto),
      source: this.source,
      onto,
    });
  }

  /** The reported commit brings nothing of the source, so another one is the landing. */
  private async judgeOthers(onto: string): Promise<Expected> {
    const before = this.commitsBefore(onto);
    const exact: string[] = [];
    for (const each of before) if (await this.isExact(each)) exact.push(each);
    const open: ContentVerdict[] = this.question.anchorCommitId === undefined ? ['UNKNOWN'] : [];
    if (exact.length === 0 && this.isEmpty(this.landed)) {
      return expect('an empty commit, no landing', 'UNKNOWN');
    }
    if (exact.length === 0) return expect('open: no landing', 'UNKNOWN', 'DIVERGENT');
    const standing: string[] = [];
    for (const each of exact) if (await this.stand([each])) standing.push(each);
    const first = standing.at(-1);
    if (first === undefined) return expect('another landing that does not stand', 'DIVERGENT', ...open);
    // The other landing has commits before it, as the last one of several steps has, and these have to stand as well.
    const parts = await this.partsBefore(this.ontoOf(first) as string);
    if (parts.size === 0) {
      // A commit before it may have brought a part at another path, to which the target had moved the file.
      const older = this.commitsBefore(this.ontoOf(first) as string);
      return (await this.stand(older))
        ? expect('another landing', 'SAME_CHANGE', ...open)
        : expect('open: another landing, after one that does not stand', 'SAME_CHANGE', 'DIVERGENT', ...open);
    }
    const steps = await this.stepsTo(first, this.commitsBefore(this.ontoOf(first) as string));
    // A step at a path that a later step renames is no part by path. One whose lines a later step changes does not stand.
    if (steps !== undefined && !(await this.stand(steps)) && !(await this.isWhole())) {
      return expect('another landing, of which a step does not stand', 'DIVERGENT', ...open);
    }
    if (await this.stand([...parts.keys()])) {
      return expect('open: another landing, a part before', 'SAME_CHANGE', 'BY_HAND', ...open);
    }
    const verdicts = ['SAME_CHANGE', 'BY_HAND', 'DIVERGENT'] as const;
    return expect('open: another landing, a part before does not stand', ...verdicts, ...open);
  }

  /** Whether merging the source into the reported commit changes nothing. */
  private async isWhole(): Promise<boolean> {
    const { clean, tree } = await this.repository.merge(this.landed, this.source);
    return clean && this.repository.areSame(tree, this.repository.treeOf(this.landed));
  }

  /** Whether the changes of commits are whole in the reported one: to merge each there again changes nothing. */
  private async stand(commitIds: readonly string[]): Promise<boolean> {
    const { repository, landed } = this;
    const all = commitIds.map(async (last) => {
      const { clean, tree } = await repository.pick(this.ontoOf(last) as string, { onto: landed, last });
      return clean && repository.areSame(tree, repository.treeOf(landed));
    });
    return (await Promise.all(all)).every((each) => each);
  }
}

/** The verdict on commits that brought a part before: they are the steps of the landing, or a person looks. */
function judgeParts(
  parts: ReadonlyMap<string, Part>,
  steps: readonly string[] | undefined,
): { verdicts: ContentVerdict[] } {
  const others = [...parts].filter(([commitId]) => steps?.includes(commitId) !== true);
  if (steps === undefined || others.some(([, part]) => part === 'certain')) return { verdicts: ['BY_HAND'] };
  return { verdicts: others.length === 0 ? ['SAME_CHANGE'] : ['SAME_CHANGE', 'BY_HAND'] };
}
