import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { UNDONE_CERTAINTIES } from '@plat/contracts/core';
import { Database } from '@plat/database';
import { FairSlots } from '@plat/fair-slots';
import { withTimeLimit } from '@plat/local';
import { issueReference } from '@plat/remote';
import type { Caller, Log } from '@plat/service';
import { isSaidRevert, type NamedLanding } from '@plat/verifier';
import { LOG } from '../log';
import { MergeVerification } from '../merge-verifications/merge-verification';
import {
  type DueMergeRow,
  type ExaminedWork,
  findDueMerges,
  findLandingsOf,
  type LandingRow,
  recordUndoneWork,
} from './undone-work.queries';

/** Landings of this many days before a merge are examined. */
const DAYS = 30;
/** Milliseconds before each attempt: after the merge, then after each one that left a merge without an answer. */
const ATTEMPTS_MS = [0, 60_000, 600_000];
/** Merges that are read at once. */
const MERGES_MAX = 4;
/** Longest time of one examination in milliseconds, once it has its turn. */
const EXAMINATION_MS = 60_000;
/** Age in milliseconds from which on the answer is final that something takes too long, or is not there. */
const FINAL_MS = 300_000;
/** The same if the repository cannot be read: its server may be away for hours. */
const UNREADABLE_MS = 86_400_000;
/** Most lines that are read of what a review says, and their longest length in characters. */
const LINES_MAX = 500;
const LINE_LENGTH_MAX = 500;
const REVERT_WORD = /revert|undo/i;
/** Half of a character that the limit of a path has cut; the database takes none. */
const CUT_CHARACTER = /[\ud800-\udbff]$/;

/** Reasons that may be gone at the next attempt. */
const PASSING: readonly string[] = ['not_computed', 'out_of_time', 'remote_unreadable', 'source_missing'];

/**
 * Examines merges for work of earlier landings that they take back, after they are accepted. A merge stays due until its
 * answer is stored, so that a later merge, or a reader of its receipt, causes what a stopped process has left.
 */
@Injectable()
export class MergeExaminer implements OnApplicationShutdown {
  /** One at a time, so that the reports of merges find the verifier free. */
  private readonly turns = new FairSlots({ total: 1, each: 1 });
  /** The attempt of each tenant that runs or is before it. */
  private readonly attempts = new Map<string, NodeJS.Timeout>();
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  /** The reviews that are being examined. */
  private readonly current = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly merges: MergeVerification,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Examines the tenant's due merges soon. Does not keep the process alive. */
  schedule(caller: Caller): void {
    clearTimeout(this.attempts.get(caller.tenantId));
    this.attempt(caller, ATTEMPTS_MS);
  }

  /** The same for a reader, who causes no attempt while the tenant has one before it. */
  scheduleIfIdle(caller: Caller): void {
    if (!this.attempts.has(caller.tenantId)) this.schedule(caller);
  }

  /** Ends the running examinations. Their merges stay due. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.attempts.values()) clearTimeout(timer);
    await Promise.all(this.running);
  }

  private attempt(caller: Caller, [next, ...later]: readonly number[]): void {
    if (this.stopping.signal.aborted) return;
    const { tenantId } = caller;
    const timer = setTimeout(() => {
      const run = this.examineDue(caller)
        .catch(() => false)
        .then((isDone) => {
          this.running.delete(run);
          if (this.attempts.get(tenantId) !== timer) return;
          this.attempts.delete(tenantId);
          if (!isDone && later.length > 0) this.attempt(caller, later);
        });
      this.running.add(run);
    }, next).unref();
    this.attempts.set(tenantId, timer);
  }

  /** @returns false if a merge is still due */
  private async examineDue(caller: Caller): Promise<boolean> {
    for (;;) {
      const due = await findDueMerges(this.database, caller, MERGES_MAX);
      const open = due.filter(({ review_id: id }) => !this.current.has(id));
      const answers: boolean[] = [];
      for (const merge of open) answers.push(await this.takeTurn(caller, merge));
      const areAnswered = open.length === due.length && answers.every((isAnswered) => isAnswered);
      if (!areAnswered || due.length < MERGES_MAX) return areAnswered;
    }
  }

  /** A merge that fails by itself stays due, and the others go on. */
  private async takeTurn(caller: Caller, merge: DueMergeRow): Promise<boolean> {
    const { review_id: reviewId } = merge;
    const { tenantId } = caller;
    this.current.add(reviewId);
    try {
      return await this.turns.run(tenantId, () => this.examine(caller, merge), this.stopping.signal);
    } catch (err) {
      if (!this.stopping.signal.aborted) {
        this.log.error({ tenantId, reviewId, err }, 'a merge could not be compared with earlier landings');
      }
      return false;
    } finally {
      this.current.delete(reviewId);
    }
  }

  /** @returns whether the merge has its answer now */
  private async examine(caller: Caller, merge: DueMergeRow): Promise<boolean> {
    const { review_id: reviewId, age_ms: age } = merge;
    const work = await this.find(caller, merge);
    const { unknown } = work;
    const mayPass = unknown !== undefined && PASSING.includes(unknown);
    // An overloaded or stopped verifier says nothing about the merge, however old that is.
    const finalAge = unknown === 'remote_unreadable' ? UNREADABLE_MS : FINAL_MS;
    if (mayPass && (age < finalAge || unknown === 'not_computed')) return false;
    const recorded = await recordUndoneWork(this.database, caller, { reviewId, work });
    if (recorded.length > 0) this.report(caller, reviewId, work);
    return true;
  }

  private async find(caller: Caller, merge: DueMergeRow): Promise<ExaminedWork> {
    const { repository, remote_url: remoteUrl, commit_id: commitId, source_tip: sourceCommitId } = merge;
    if (sourceCommitId === null) return { unknown: 'source_missing' };
    if (commitId === null) return { unknown: 'landing_not_found' };
    const found = await this.merges.findUndoneWork(
      { caller, until: withTimeLimit(this.stopping.signal, EXAMINATION_MS) },
      { remoteUrl, commitId, sourceCommitId, days: DAYS },
    );
    if ('unknown' in found) return { unknown: found.unknown };
    const { findings, findingsLeftOut, revertedIds, revertLines, window } = found;
    const commitIds = [...new Set(findings.map((finding) => finding.commitId))];
    const rows = await findLandingsOf(this.database, caller, { repository, commitIds });
    const said = { texts: [...linesOf(merge.texts), ...revertLines], revertedIds };
    const isSaid = new Map(
      commitIds.map((id) => [id, namedLandings(id, rows).some((landing) => isSaidRevert(landing, said))]),
    );
    return {
      findings: findings.map(({ path, ...finding }) => ({
        ...finding,
        path: path.replace(CUT_CHARACTER, ''),
        isSaid: isSaid.get(finding.commitId) === true,
      })),
      findingsLeftOut,
      window,
    };
  }

  /** Counts an examined merge by its surest finding, and logs a warning if that is more than possible. */
  private report({ requestId, tenantId }: Caller, reviewId: string, work: ExaminedWork): void {
    const unsaid = (work.findings ?? []).filter(({ isSaid }) => !isSaid);
    const surest = UNDONE_CERTAINTIES.find((each) => unsaid.some(({ certainty }) => certainty === each));
    this.merges.countExamined(work.unknown === undefined ? (surest ?? 'none') : 'unknown');
    if (surest !== 'sure' && surest !== 'likely') return;
    this.log.warn(
      { requestId, tenantId, reviewId, findings: unsaid.slice(0, 20), findingsLeftOut: work.findingsLeftOut },
      'a merge takes back work of earlier landings without saying so',
    );
  }
}

/** The lines of texts that may say a revert. */
function linesOf(texts: readonly string[]): string[] {
  const lines = texts.flatMap((text) => text.split('\n'));
  return lines.filter((line) => line.length <= LINE_LENGTH_MAX && REVERT_WORD.test(line)).slice(0, LINES_MAX);
}

/** An earlier landing, as a review may name it: by each review that merged with its commit. */
function namedLandings(commitId: string, rows: readonly LandingRow[]): NamedLanding[] {
  const of = rows.filter((row) => row.commit_id === commitId);
  if (of.length === 0) return [{ commitId, reviewName: '' }];
  return of.map(({ review_id: reviewId, name: reviewName, source_branch: sourceBranch }) => {
    return { commitId, reviewId, reviewName, issueRef: issueReference(sourceBranch) };
  });
}
