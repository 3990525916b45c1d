import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** How many reviews they wait for. */
const REVIEWS = 100;
const FIGURE = /^plat_requests_waiting_for_change\{[^}]*\} (\d+)$/m;

interface CrowdOptions {
  url: string;
  token: string;
  signal: AbortSignal;
}

interface Answer {
  status: number;
  tag: string;
  body: string;
}

/** Callers of one service who wait for changes of reviews, each on a connection of its own. */
export class Crowd {
  /** Answers to requests that have waited. */
  answers = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  private readonly paths: string[] = [];
  private stopped = false;

  constructor(private readonly options: CrowdOptions) {}

  /** Reads reviews one after the other, so many times. */
  async read(times: number): Promise<void> {
    while (this.paths.length < REVIEWS) {
      const name = `waited for ${this.paths.length}`;
      const body = JSON.stringify({ name, sourceBranch: name.replaceAll(' ', '-'), targetBranch: 'main' });
      const created = await this.send('POST', '/v1/reviews', { body });
      if (created.status !== 201) throw new Error(`a review was answered ${created.status}: ${created.body}`);
      this.paths.push(`/v1/reviews/${(JSON.parse(created.body) as { reviewId: string }).reviewId}`);
    }
    for (let n = 0; n < times; n += 1) await this.send('GET', this.pathOf(n));
  }

  /** Lets so many callers wait, and wait again whenever they are answered. Resolves once all of them wait. */
  async wait(callers: number): Promise<void> {
    for (let n = 0; n < callers; n += 1) void this.waitAgain(this.pathOf(n));
    for (;;) {
      this.options.signal.throwIfAborted();
      const { body } = await this.send('GET', '/metrics');
      if (Number(FIGURE.exec(body)?.[1]) >= callers) return;
      await delay(100);
    }
  }

  stop(): void {
    this.stopped = true;
    this.agent.destroy();
  }

  private pathOf(n: number): string {
    return this.paths[n % this.paths.length]!;
  }

  private async waitAgain(path: string): Promise<void> {
    try {
      const { tag } = await this.send('GET', path);
      while (!this.stopped) {
        const headers = { 'if-none-match': tag, prefer: 'wait=30' };
        const { status } = await this.send('GET', path, { headers });
        if (status !== 304) throw new Error(`a request that waits was answered ${status}`);
        this.answers += 1;
      }
    } catch (error) {
      // The end of the measurement cuts them off.
      if (!this.stopped) throw error;
    }
  }

  private async send(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
  ): Promise<Answer> {
    const { url, token } = this.options;
    const sent = request(url + path, {
      method,
      agent: this.agent,
      headers: { ...headers, authorization: `Bearer ${token}` },
    }).end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return {
      status: answer.statusCode!,
      tag: String(answer.headers.etag),
      body: await text(answer),
    };
  }
}
