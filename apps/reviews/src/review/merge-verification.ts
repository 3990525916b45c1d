import type { Caller, Log } from '@plat/service';
import { gauge } from '@plat/service';
import type {
  HistoryLanding,
  LandedContent,
  QueueLanding,
  Verdict,
  Verifier,
  VerifyOptions,
} from '@plat/verifier';
import { Counter, Histogram, type Registry } from 'prom-client';

/** From refs alone to the total that a verification may take. */
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

type QueueQuestion = Parameters<Verifier['verifyQueueLanding']>[0];
type HistoryQuestion = Parameters<Verifier['verifyHistoryLanding']>[0];
type ContentQuestion = Parameters<Verifier['judgeContent']>[0];

/** The verifier as the service asks it: fair between tenants, its defects in the log, its work in figures. */
export class MergeVerification {
  private readonly duration: Histogram;
  private readonly verdicts: Counter;

  constructor(
    private readonly verifier: Verifier,
    private readonly log: Log,
    registry: Registry,
  ) {
    this.duration = new Histogram({
      name: 'plat_verification_duration_seconds',
      help: 'Verifications of reported merges, by condition and outcome: verified, or why not; the content by verdict',
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
    gauge(registry, 'plat_verifications', {
      help: 'Verifications that run, and that wait for their turn',
      labelNames: ['state'],
      read: (set) => {
        for (const [state, count] of Object.entries(verifier.load)) set({ state }, count);
      },
    });
  }

  /** Conditions A2 and A3. */
  verifyQueueLanding(caller: Caller, question: QueueQuestion): Promise<Verdict<QueueLanding>> {
    return this.timed('queue', () => this.verifier.verifyQueueLanding(question, this.optionsOf(caller)));
  }

  /** Condition B. */
  verifyHistoryLanding(caller: Caller, question: HistoryQuestion): Promise<Verdict<HistoryLanding>> {
    return this.timed('history', () => this.verifier.verifyHistoryLanding(question, this.optionsOf(caller)));
  }

  /** The verdict on the content of a verified landing, UNKNOWN where it cannot be told. */
  judgeContent(caller: Caller, question: ContentQuestion): Promise<LandedContent> {
    return this.timed('content', () => this.verifier.judgeContent(question, this.optionsOf(caller)));
  }

  /** Counts an accepted merge, and tells of one that landed something else than what was reviewed. */
  tell({ requestId, tenantId }: Caller, reviewId: string, content: LandedContent): void {
    const cause = content.verdict === 'EXACT' ? '' : content.reason;
    this.verdicts.inc({ verdict: content.verdict, cause });
    if (content.verdict !== 'DIVERGENT') return;
    const { verdict: _, treeId: __, ...where } = content;
    this.log.error(
      { requestId, tenantId, reviewId, ...where },
      'a landed merge diverges from what was reviewed',
    );
  }

  private optionsOf({ tenantId, requestId }: Caller): Omit<VerifyOptions, 'signal'> {
    return {
      tenantId,
      onDefect: (err) => this.log.error({ requestId, err }, 'a verification process failed by itself'),
    };
  }

  private async timed<Answer extends Verdict<unknown> | LandedContent>(
    condition: string,
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    const startedAt = performance.now();
    const answer = await ask();
    this.duration.observe({ condition, outcome: outcomeOf(answer) }, (performance.now() - startedAt) / 1000);
    return answer;
  }
}

function outcomeOf(answer: Verdict<unknown> | LandedContent): string {
  if ('verdict' in answer) return answer.verdict;
  return answer.verified ? 'verified' : answer.reason;
}
