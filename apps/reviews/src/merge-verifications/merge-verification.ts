import { Counter, Histogram, type Registry } from 'prom-client';
import { ApiError, type UndoneCertainty } from '@plat/contracts/core';
import { fetchAddress } from '@plat/remote';
import { type Caller, type Log, registerGauge } from '@plat/service';
import { spanReporter, traced } from '@plat/telemetry';
import {
  type BranchRead,
  type HistoryLanding,
  type LandedContent,
  type NotVerified,
  type QueueLanding,
  type UndoneUnknown,
  type UndoneWork,
  type Verdict,
  type Verifier,
  VerifierUnavailable,
  type VerifyOptions,
} from '@plat/verifier';

/** Histogram buckets, from a verification that reads refs only to the longest permitted one. */
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

type QueueQuestion = Parameters<Verifier['verifyQueueLanding']>[0];
type HistoryQuestion = Parameters<Verifier['verifyHistoryLanding']>[0];
type BranchQuestion = Parameters<Verifier['readBranch']>[0];
type ContentQuestion = Parameters<Verifier['judgeContent']>[0];
type UndoneQuestion = Parameters<Verifier['findUndoneWork']>[0];
type Answer = Verdict<unknown> | LandedContent | UndoneWork | UndoneUnknown;

/** The caller, and a signal that aborts when the answer is no longer needed. */
export interface Asking {
  caller: Caller;
  until: AbortSignal;
}

/** Asks the verifier: shares it fairly between tenants, logs its defects and measures its work. */
export class MergeVerification {
  private readonly duration: Histogram;
  private readonly verdicts: Counter;
  private readonly examined: Counter;
  private readonly lost: Counter;

  constructor(
    private readonly verifier: Verifier,
    private readonly log: Log,
    registry: Registry,
  ) {
    this.duration = new Histogram({
      name: 'plat_verification_duration_seconds',
      help: 'Verifications of reported merges, by condition and outcome: verified, or why not; the content by verdict; branch is a check without a report; undone is work taken back',
      labelNames: ['condition', 'outcome'],
      buckets: SECONDS,
      registers: [registry],
    });
    this.verdicts = new Counter({
      name: 'plat_merges_content_total',
      help: 'Accepted merges by the verdict on their content and its cause; DIVERGENT is a corrupt landing',
      labelNames: ['verdict', 'cause'],
      registers: [registry],
    });
    this.examined = new Counter({
      name: 'plat_merges_examined_total',
      help: 'Merges compared with the landings before them, by the surest finding of work that they take back without saying so',
      labelNames: ['undone'],
      registers: [registry],
    });
    this.lost = new Counter({
      name: 'plat_verifier_processes_lost_total',
      help: 'Verifier processes that failed by themselves or were killed, and not by their limits',
      registers: [registry],
    });
    const started = new Counter({
      name: 'plat_verifier_processes_started_total',
      help: 'Verifier processes started: at the start, for more work at once, and in place of those that ended',
      registers: [registry],
      collect: () => {
        started.reset();
        started.inc(verifier.processesStarted);
      },
    });
    registerGauge(registry, 'plat_verifications', {
      help: 'Verifications that run, that wait for their turn, and that wait for a silent remote',
      labelNames: ['state'],
      read: (set) => {
        for (const [state, count] of Object.entries(verifier.load)) set({ state }, count);
      },
    });
  }

  /** Conditions A2 and A3. @throws SERVICE_UNAVAILABLE */
  verifyQueueLanding({ caller, until }: Asking, question: QueueQuestion): Promise<Verdict<QueueLanding>> {
    return this.available({ caller, until }, question, () =>
      this.measure('queue', () => this.verifier.verifyQueueLanding(question, this.optionsOf(caller, until))),
    );
  }

  /** Condition B. @throws SERVICE_UNAVAILABLE */
  verifyHistoryLanding(
    { caller, until }: Asking,
    question: HistoryQuestion,
  ): Promise<Verdict<HistoryLanding>> {
    return this.available({ caller, until }, question, () =>
      this.measure('history', () =>
        this.verifier.verifyHistoryLanding(question, this.optionsOf(caller, until)),
      ),
    );
  }

  /** Reads the target's tip and judges no landing. @throws SERVICE_UNAVAILABLE */
  readBranch({ caller, until }: Asking, question: BranchQuestion): Promise<Verdict<BranchRead>> {
    return this.available({ caller, until }, question, () =>
      this.measure('branch', () => this.verifier.readBranch(question, this.optionsOf(caller, until))),
    );
  }

  /** Judges the content of a verified landing; UNKNOWN if that is impossible. */
  judgeContent({ caller, until }: Asking, question: ContentQuestion): Promise<LandedContent> {
    return this.measure('content', () => this.verifier.judgeContent(question, this.optionsOf(caller, until)));
  }

  /** Finds the work of earlier landings that a merge takes back. */
  findUndoneWork({ caller, until }: Asking, question: UndoneQuestion): Promise<UndoneWork | UndoneUnknown> {
    return this.measure('undone', () =>
      this.verifier.findUndoneWork(question, this.optionsOf(caller, until)),
    );
  }

  /** Counts a merge that was compared with the landings before it, by its surest finding. */
  countExamined(undone: UndoneCertainty | 'none' | 'unknown'): void {
    this.examined.inc({ undone });
  }

  /** Counts an accepted merge, and logs an error if the landed content is not what was reviewed. */
  report({ requestId, tenantId }: Caller, reviewId: string, content: LandedContent): void {
    const cause = content.verdict === 'EXACT' ? '' : content.reason;
    this.verdicts.inc({ verdict: content.verdict, cause });
    if (content.verdict !== 'DIVERGENT') return;
    const { verdict: _, treeId: __, ...where } = content;
    this.log.error(
      { requestId, tenantId, reviewId, ...where },
      'a landed merge diverges from what was reviewed',
    );
  }

  private optionsOf({ tenantId, requestId }: Caller, signal: AbortSignal): VerifyOptions {
    return {
      tenantId,
      signal,
      onRequest: gitSpans(),
      onDefect: (err) => {
        this.lost.inc();
        this.log.error({ requestId, err }, 'a verification process failed by itself');
      },
    };
  }

  /** If the verifier is late or lost, throws SERVICE_UNAVAILABLE, because the remote is not at fault. */
  private async available<Landing>(
    { caller, until }: Asking,
    { remoteUrl }: { remoteUrl: string },
    ask: () => Promise<Verdict<Landing>>,
  ): Promise<Verdict<Landing>> {
    try {
      const verdict = await ask();
      if (!verdict.verified && !verdict.judged) this.logUnread(caller, remoteUrl, verdict);
      return verdict;
    } catch (error) {
      if (!until.aborted && !(error instanceof VerifierUnavailable)) throw error;
      throw new ApiError('SERVICE_UNAVAILABLE', {
        message: 'The repository could not be read right now, and nothing was done; repeat the request.',
      });
    }
  }

  /** Logs the true cause, which callers do not get. */
  private logUnread(
    { requestId, tenantId }: Caller,
    remoteUrl: string,
    { reason, cause }: NotVerified,
  ): void {
    const address = fetchAddress(remoteUrl);
    const host = address && new URL(address).host;
    this.log.warn({ requestId, tenantId, host, reason, cause }, 'a repository could not be read');
  }

  private async measure<Found extends Answer>(condition: string, ask: () => Promise<Found>): Promise<Found> {
    const startedAt = performance.now();
    const answer = await traced({ name: `verify ${condition}`, kind: 'internal' }, ask);
    this.duration.observe({ condition, outcome: outcomeOf(answer) }, (performance.now() - startedAt) / 1000);
    return answer;
  }
}

/** Records a worker's requests as spans below the verification. The remote gets no header of the trace. */
function gitSpans(): VerifyOptions['onRequest'] {
  const record = spanReporter();
  return (
    record &&
    (({ host, method, path, startMs, endMs, failed }) =>
      record({
        name: `git ${path}`,
        kind: 'client',
        attributes: { 'server.address': host, 'http.request.method': method, 'git.path': path },
        startMs,
        endMs,
        failed,
      }))
  );
}

function outcomeOf(answer: Answer): string {
  if ('verdict' in answer) return answer.verdict;
  if ('unknown' in answer) return answer.unknown;
  if ('window' in answer) return 'examined';
  return answer.verified ? 'verified' : answer.reason;
}
