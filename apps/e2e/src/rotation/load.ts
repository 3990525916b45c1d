import { randomUUID } from 'node:crypto';

/** Requests that follow one another without a pause, from several clients, half of which write. */
export class Load {
  answered = 0;
  readonly failed: string[] = [];
  private going = true;
  private readonly clients: Promise<void>[];

  constructor(
    private readonly urls: string[],
    private readonly authorization: string,
    count: number,
  ) {
    this.clients = Array.from({ length: count }, (_, place) => this.ask(place));
  }

  /** Resolves when this many further requests have been answered, with success or not. */
  async more(count: number): Promise<void> {
    const wanted = this.answered + count;
    while (this.answered < wanted) await new Promise((resolve) => setImmediate(resolve));
  }

  async stop(): Promise<void> {
    this.going = false;
    await Promise.all(this.clients);
  }

  private async ask(place: number): Promise<void> {
    const url = `${this.urls[place % this.urls.length]}/v1/reviews`;
    const headers = { authorization: this.authorization, 'content-type': 'application/json' };
    while (this.going) {
      const name = randomUUID();
      const body = JSON.stringify({ name, sourceBranch: name, targetBranch: 'main' });
      const response = await fetch(
        place % 2 === 0 ? `${url}?limit=1` : url,
        place % 2 === 0 ? { headers } : { method: 'POST', headers, body },
      );
      // A list is sent while it is read, and cut if its session of the database is ended.
      const text = await response.text().catch(() => undefined);
      if (!response.ok || text === undefined) this.failed.push(`${response.status} ${text ?? 'was cut'}`);
      this.answered++;
    }
  }
}
