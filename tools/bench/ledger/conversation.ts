import { Client } from 'undici';

/** Sends requests one after the other over one connection, as one user. */
export class Conversation {
  private readonly client: Client;

  constructor(
    url: string,
    private readonly token: string,
  ) {
    this.client = new Client(url);
  }

  /**
   * @returns the milliseconds until the answer had come whole
   * @throws Error if its status is not 200
   */
  async get(path: string): Promise<number> {
    const headers = { authorization: `Bearer ${this.token}` };
    const startedAt = performance.now();
    const answer = await this.client.request({ method: 'GET', path, headers });
    const text = await answer.body.text();
    const milliseconds = performance.now() - startedAt;
    if (answer.statusCode !== 200) {
      throw new Error(`GET ${path} answered ${answer.statusCode}: ${text.slice(0, 500)}`);
    }
    return milliseconds;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
