import { join } from 'node:path';
import { ApiError, type ContentReason } from '@plat/contracts/core';
import { FairSlots, LineFull, type Slot } from '@plat/fair-slots';
import { fetchAddress } from '@plat/remote';
import type { VerifierConfig } from './config';
import { type LandedContent, unknown } from './content/content-verdict';
import type { ContentQuestion } from './content/judge-content';
import type { BranchQuestion } from './judge/branch-read';
import type { HistoryQuestion } from './judge/history-landing';
import type { Answer, Question } from './judge/question';
import type { QueueQuestion } from './judge/queue-landing';
import type { StandingAnswer, StandingQuestion } from './standing/standing';
import type { UndoneQuestion } from './undone/undone-by';
import type { UndoneUnknown, UndoneWork } from './undone/undone-work';
import {
  type BranchRead,
  type HistoryLanding,
  notVerified,
  type NotVerifiedReason,
  type QueueLanding,
  type Verdict,
} from './verdict';
import { VerifierUnavailable } from './worker/unavailable';
import { verifierWorker } from './worker/worker-entry';
import { type AskOptions, WorkerPool } from './worker/worker-pool';

/** Undone work is searched for at most this many times as long as a content is compared. */
const UNDONE_SHARE = 2;

export interface VerifierOptions {
  /** The bundled worker program. Default: `verifier-worker.js` next to the running file. */
  workerFile?: string;
}

/** `signal` ends the verification: the promise is rejected with its reason. */
export interface VerifyOptions extends Omit<AskOptions, 'slot'> {
  /**
   * The tenant of the verification; the bounds are fair between tenants. Verifications without one share a tenant.
   */
  tenantId?: string;
}

/**
 * Determines whether a review has landed by reading the remote itself, without credentials, clone or disk.
 * All handling of the remote's data happens in worker processes.
 *
 * Spec: API, MERGED report verification.
 */
export class Verifier {
  private readonly slots: FairSlots;
  private readonly workers: WorkerPool;
  private readonly contentMs: number;

  constructor(config: VerifierConfig, options: VerifierOptions = {}) {
    const { total, perTenant, waitingPerTenant, silent } = config.concurrency;
    const { workerFile = join(__dirname, `${verifierWorker.name}.js`) } = options;
    this.slots = new FairSlots({ total, each: perTenant, waitingEach: waitingPerTenant, yielded: silent });
    this.workers = new WorkerPool(workerFile, config);
    this.contentMs = config.caps.contentMs;
  }

  /**
   * Conditions A2 and A3: is the commit on the target branch, with the anchor among its ancestors?
   * @param question.remoteUrl as the client reported it; it is read at its fetch address (Rule B2)
   * @throws VerifierUnavailable
   */
  async verifyQueueLanding(
    question: QueueQuestion & { remoteUrl: string },
    options: VerifyOptions = {},
  ): Promise<Verdict<QueueLanding>> {
    return (await this.verify({ condition: 'queue', ...question }, options)) as Verdict<QueueLanding>;
  }

  /**
   * Condition B: is everything that the source branch adds in the target branch's history?
   * @param question.remoteUrl as the client reported it; it is read at its fetch address (Rule B2)
   * @throws VerifierUnavailable
   */
  async verifyHistoryLanding(
    question: HistoryQuestion & { remoteUrl: string },
    options: VerifyOptions = {},
  ): Promise<Verdict<HistoryLanding>> {
    return (await this.verify({ condition: 'history', ...question }, options)) as Verdict<HistoryLanding>;
  }

  /**
   * Reads the target branch's tip and nothing else: a landing there could be verified, as far as the remote decides it.
   * @param question.remoteUrl as a client has it; it is read at its fetch address (Rule B2)
   * @throws VerifierUnavailable
   */
  async readBranch(
    question: BranchQuestion & { remoteUrl: string },
    options: VerifyOptions = {},
  ): Promise<Verdict<BranchRead>> {
    return (await this.verify({ condition: 'branch', ...question }, options)) as Verdict<BranchRead>;
  }

  /**
   * Judges whether a verified landing has the reviewed content. The caller asks this separately, after the question
   * about the landing, so that neither a failure nor a delay here can change the landing's verdict.
   *
   * @returns UNKNOWN if it cannot be computed, with `not_computed` if that is not the remote's fault and a later
   *   attempt may succeed. It never rejects.
   */
  async judgeContent(
    question: ContentQuestion & { remoteUrl: string },
    options: VerifyOptions = {},
  ): Promise<LandedContent> {
    const answer = await this.compute({ condition: 'content', ...question }, this.contentMs, options);
    if (typeof answer === 'string') return unknown(answer);
    if ('verdict' in answer) return answer;
    const isRefused = 'verified' in answer && !answer.verified;
    return unknown(isRefused ? notComputed(answer.reason) : 'remote_unreadable');
  }

  /**
   * Determines what a landing takes back of earlier ones.
   *
   * @param question.remoteUrl as the client reported it; it is read at its fetch address (Rule B2)
   * @returns `unknown` with the reason if it cannot be determined. It never rejects.
   */
  async findUndoneWork(
    question: UndoneQuestion & { remoteUrl: string },
    options: VerifyOptions = {},
  ): Promise<UndoneWork | UndoneUnknown> {
    const asked = { condition: 'undone' as const, ...question };
    const answer = await this.compute(asked, UNDONE_SHARE * this.contentMs, options);
    if (typeof answer === 'string') return { unknown: answer };
    if ('window' in answer || 'unknown' in answer) return answer;
    return { unknown: 'reason' in answer ? String(answer.reason) : 'remote_unreadable' };
  }

  /**
   * Determines which parts of landings the target has lost since. The longer the time and the more landings, the more there is
   * to read: a caller asks again with fewer if it is too much.
   *
   * @param question.remoteUrl as the client reported it; it is read at its fetch address (Rule B2)
   * @returns `unknown` with the reason if it cannot be determined. It never rejects.
   */
  async findStanding(
    question: StandingQuestion & { remoteUrl: string },
    options: VerifyOptions = {},
  ): Promise<StandingAnswer | UndoneUnknown> {
    const asked = { condition: 'standing' as const, ...question };
    const answer = await this.compute(asked, UNDONE_SHARE * this.contentMs, options);
    if (typeof answer === 'string') return { unknown: answer };
    if ('landings' in answer || 'unknown' in answer) return answer;
    return { unknown: 'reason' in answer ? String(answer.reason) : 'remote_unreadable' };
  }

  /** Starts a worker process now, so that the first question need not wait for it. */
  warmUp(): void {
    this.workers.keepOneReady();
  }

  /** How many verifications of all tenants run, wait for a slot, and wait for a silent remote at this moment. */
  get load(): { running: number; waiting: number; silent: number } {
    const { held, waiting, yielded } = this.slots.load;
    return { running: held, waiting, silent: yielded };
  }

  /** How many worker processes have been started. */
  get processesStarted(): number {
    return this.workers.started;
  }

  /** Ends all worker processes. Running verifications reject with VerifierUnavailable. */
  async close(): Promise<void> {
    await this.workers.close();
  }

  /** Answers a question in bounded time, whatever is computed. @returns the reason if it could not be computed */
  private async compute(
    question: QuestionWithRemote,
    milliseconds: number,
    options: VerifyOptions,
  ): Promise<Answer | 'out_of_time' | 'not_computed'> {
    const time = new AbortController();
    const signal = AbortSignal.any([time.signal, ...(options.signal ? [options.signal] : [])]);
    let timer: NodeJS.Timeout | undefined;
    const onStart = () => (timer = setTimeout(() => time.abort(), milliseconds));
    try {
      return await this.verify(question, { ...options, signal }, onStart);
    } catch (error) {
      if (time.signal.aborted) return 'out_of_time';
      if (!signal.aborted && !(error instanceof VerifierUnavailable)) options.onDefect?.(error as Error);
      return 'not_computed';
    } finally {
      clearTimeout(timer);
    }
  }

  private async verify(
    { remoteUrl, ...question }: QuestionWithRemote,
    { tenantId = '', ...asking }: VerifyOptions,
    onStart: () => void = () => undefined,
  ): Promise<Answer> {
    const address = fetchAddress(remoteUrl);
    if (address === undefined) return notVerified('remote_refused', 'no fetch address');
    const ask = (slot: Slot) => {
      onStart();
      return this.workers.ask({ ...question, address }, { ...asking, slot });
    };
    try {
      return await this.slots.run(tenantId, ask, asking.signal);
    } catch (error) {
      asking.signal?.throwIfAborted();
      if (!(error instanceof ApiError && error.cause instanceof LineFull)) throw error;
      throw new VerifierUnavailable('too many verifications waiting', { cause: error });
    }
  }
}

/** Maps the verifier's own refusals to reasons of the content's verdict. */
function notComputed(reason: NotVerifiedReason): ContentReason {
  return reason === 'remote_refused' || reason === 'remote_too_large' ? reason : 'remote_unreadable';
}

type WithRemote<Asked> = Asked extends Question ? Omit<Asked, 'address'> & { remoteUrl: string } : never;
type QuestionWithRemote = WithRemote<Question>;
