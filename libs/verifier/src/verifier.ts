import { fetchAddress } from '@plat/remote';
import { join } from 'node:path';
import type { VerifierConfig } from './config';
import type { HistoryQuestion } from './judge/history-landing';
import type { QueueQuestion } from './judge/queue-landing';
import { notVerified, type HistoryLanding, type QueueLanding, type Verdict } from './verdict';
import { FairQueue, QueueFull } from './worker/fair-queue';
import type { Question } from './worker/question';
import { WorkerPool } from './worker/worker-pool';
import { verifierWorker } from './worker/worker-entry';

export interface VerifierOptions {
  /** The bundled worker program. Default: `verifier-worker.js` beside the running file. */
  workerFile?: string;
  /** Hears of a worker thread that failed by itself, for the log; the verification is answered as not judged. */
  onDefect?: (defect: Error) => void;
}

export interface VerifyOptions {
  /** Whose verification it is: the bounds are fair between tenants. Default: all without one share. */
  tenantId?: string;
  /** Ends the verification; the promise is rejected with its reason. */
  signal?: AbortSignal;
}

/**
 * Answers "has it landed?" by reading the remote itself, without credentials, clone or disk.
 * Everything that touches what a remote sends happens in worker threads.
 *
 * Spec: API, MERGED report verification.
 */
export class Verifier {
  private readonly queue: FairQueue;
  private readonly workers: WorkerPool;

  constructor(config: VerifierConfig, options: VerifierOptions = {}) {
    const { total, perTenant, waitingPerTenant } = config.concurrency;
    const { workerFile = join(__dirname, `${verifierWorker.name}.js`), onDefect = () => undefined } = options;
    this.queue = new FairQueue({ total, perKey: perTenant, waitingPerKey: waitingPerTenant });
    this.workers = new WorkerPool(workerFile, config, onDefect);
  }

  /**
   * Conditions A2 and A3: is the commit on the target branch, with the anchor among its ancestors?
   * @param question.remoteUrl as the client reported it; it is read at its fetch address (Decision B2)
   */
  async verifyQueueLanding(
    question: QueueQuestion & { remoteUrl: string },
    options: VerifyOptions = {},
  ): Promise<Verdict<QueueLanding>> {
    return (await this.verify({ condition: 'queue', ...question }, options)) as Verdict<QueueLanding>;
  }

  /**
   * Condition B: is everything that the source branch adds in the target branch's history?
   * @param question.remoteUrl as the client reported it; it is read at its fetch address (Decision B2)
   */
  async verifyHistoryLanding(
    question: HistoryQuestion & { remoteUrl: string },
    options: VerifyOptions = {},
  ): Promise<Verdict<HistoryLanding>> {
    return (await this.verify({ condition: 'history', ...question }, options)) as Verdict<HistoryLanding>;
  }

  /** Ends all threads; verifications that run are answered as not judged. */
  async close(): Promise<void> {
    await this.workers.close();
  }

  private async verify(
    { remoteUrl, ...question }: QuestionWithRemote,
    { tenantId = '', signal }: VerifyOptions,
  ): Promise<Verdict<QueueLanding | HistoryLanding>> {
    const address = fetchAddress(remoteUrl);
    if (address === undefined) return notVerified('remote_refused', 'no fetch address');
    try {
      return await this.queue.run(tenantId, () => this.workers.ask({ ...question, address }, signal), signal);
    } catch (error) {
      if (error instanceof QueueFull)
        return notVerified('remote_unreadable', 'too many verifications waiting');
      throw error;
    }
  }
}

type WithRemote<Asked> = Asked extends Question ? Omit<Asked, 'address'> & { remoteUrl: string } : never;
type QuestionWithRemote = WithRemote<Question>;
