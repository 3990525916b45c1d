import { randomUUID } from 'node:crypto';
import { request } from 'node:http';

const COMMIT = 'a'.repeat(40);
const SOME_COMMENT = { commitId: COMMIT, filePath: 'README.md', line: 1, body: 'Looks good.' };

/** A request that was not answered as its story expects. */
export interface FailedRequest {
  line: string;
  /** undefined: no answer came */
  status: number | undefined;
  /** The answer's code, or the error of the connection. */
  code: string;
  /** Milliseconds since the traffic began. */
  atMs: number;
}

/** An id of a good answer, and when that came, in milliseconds since the traffic began. */
export interface Acknowledged {
  id: string;
  atMs: number;
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Thrown when a review cannot be led on. */
class Unexpected extends Error {}

/**
 * Clients that lead one review after the other from its proposal to its end, and read what all five
 * services answer meanwhile. Each has a target branch of its own, so every answer is known before. A story whose request
 * fails ends, and the client begins another.
 */
export class Traffic {
  readonly failed: FailedRequest[] = [];
  /** Reviews and builds of good answers, which must be there in the end. */
  readonly acknowledged: Acknowledged[] = [];
  /** Request ids of good answers, each of which must have exactly one audit row. */
  readonly answered: Acknowledged[] = [];
  private readonly beganAt = performance.now();
  private going = true;
  private waiting: { answers: number; resolve(): void }[] = [];
  private readonly clients: Promise<void>[];

  constructor(
    private readonly url: string,
    private readonly token: () => Promise<string>,
    count: number,
  ) {
    this.clients = Array.from({ length: count }, () => this.live());
  }

  /** Milliseconds since the beginning. */
  get nowMs(): number {
    return performance.now() - this.beganAt;
  }

  /** Resolves when this many further requests have succeeded, or when the traffic has ended. */
  async more(answers: number): Promise<void> {
    if (!this.going) return;
    const wanted = this.answered.length + answers;
    await new Promise<void>((resolve) => this.waiting.push({ answers: wanted, resolve }));
  }

  /** Ends the stories. Resolves when every request is answered. */
  async stop(): Promise<void> {
    this.going = false;
    for (const { resolve } of this.waiting.splice(0)) resolve();
    await Promise.all(this.clients);
  }

  private noteAnswer(id: string): void {
    this.answered.push({ id, atMs: this.nowMs });
    const ready = this.waiting.filter(({ answers }) => answers <= this.answered.length);
    this.waiting = this.waiting.filter((each) => !ready.includes(each));
    for (const { resolve } of ready) resolve();
  }

  private async live(): Promise<void> {
    let targetBranch = `traffic/${randomUUID()}`;
    while (this.going) {
      try {
        await this.story(targetBranch);
      } catch (error) {
        if (!(error instanceof Unexpected)) throw error;
        // A review whose proposal was not answered may be in the queue, where it would stay.
        targetBranch = `traffic/${randomUUID()}`;
      }
    }
  }

  private async story(targetBranch: string): Promise<void> {
    const name = randomUUID();
    const reviewId = await this.propose({ name, sourceBranch: name, targetBranch });
    const review = `/v1/reviews/${reviewId}`;
    await this.report(reviewId, true);
    await this.ask(`GET ${review}`, 200);
    await this.ask(`GET /v1/reviews/merge-queue?targetBranch=${encodeURIComponent(targetBranch)}`, 200);
    await this.ask(`PATCH ${review}/status`, 200, { status: 'READY' });
    await this.ask('POST /v1/reviews/merge-queue/advance', 200, { targetBranch });
    await this.ask('GET /v1/whoami', 200);
    await this.ask(`POST ${review}/comments`, 201, SOME_COMMENT);
    await this.report(reviewId, false);
    await this.ask(`GET ${review}/releases`, 200);
    await this.ask('GET /v1/audit-events', 200);
    await this.ask(`GET ${review}/history`, 200);
    await this.ask(`PATCH ${review}/status`, 200, { status: 'CLOSED' });
  }

  private async propose(body: Record<string, string>): Promise<string> {
    const { reviewId } = (await this.ask('POST /v1/reviews', 201, body)) as { reviewId: string };
    this.acknowledged.push({ id: reviewId, atMs: this.nowMs });
    return reviewId;
  }

  private async report(reviewId: string, successful: boolean): Promise<void> {
    const failure = successful ? {} : { failureDetail: 'red' };
    const body = { commitId: COMMIT, kind: 'RECORDED', version: '1.0.0', successful, ...failure };
    const { buildId } = await this.ask(`POST /v1/reviews/${reviewId}/builds`, 201, body);
    this.acknowledged.push({ id: buildId as string, atMs: this.nowMs });
  }

  private async ask(line: string, expected: number, body?: object): Promise<Record<string, unknown>> {
    const sent = await this.send(line, expected, body);
    if (!('status' in sent) || sent.status !== expected) throw new Unexpected(line);
    return sent.body;
  }

  /** Sends a request on a connection of its own, and records its result. */
  private async send(line: string, expected: number, body?: object): Promise<Answer | { error: string }> {
    const requestId = randomUUID();
    const answer = await this.exchange(line, { 'x-request-id': requestId }, body);
    if ('status' in answer && answer.status === expected) {
      this.noteAnswer(requestId);
      return answer;
    }
    const [status, code] =
      'status' in answer ? [answer.status, String(answer.body.code)] : [undefined, answer.error];
    this.failed.push({ line, status, code, atMs: this.nowMs });
    return answer;
  }

  private async exchange(
    line: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<Answer | { error: string }> {
    const [method, path] = line.split(' ') as [string, string];
    const authorization = `Bearer ${await this.token()}`;
    return new Promise((resolve) => {
      const fail = (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message });
      const sent = request(this.url + path, {
        method,
        headers: { authorization, 'content-type': 'application/json', ...headers },
        // An edge may end an idle connection at any time, so none is used again.
        agent: false,
      });
      sent.on('error', fail).on('response', (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', fail);
        answer.on('end', () => resolve({ status: answer.statusCode!, body: read(Buffer.concat(chunks)) }));
      });
      sent.end(body && JSON.stringify(body));
    });
  }
}

/** The body of an answer; an edge's own page has no code. */
function read(text: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(text.toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}
