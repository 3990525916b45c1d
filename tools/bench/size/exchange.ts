import { Client } from 'undici';

/** One request's answer, read to its end. */
export interface Exchange<Body> {
  status: number;
  body: Body;
  bytes: number;
  /** From sending the request until the answer had come whole. */
  milliseconds: number;
  firstByteMs: number;
}

/** Sends requests one after the other over one connection, as one user. */
export class Conversation {
  private readonly client: Client;

  constructor(
    url: string,
    private readonly token: string,
  ) {
    this.client = new Client(url);
  }

  /** @throws Error if the answer has not the expected status */
  async send<Body>(
    line: `${'GET' | 'POST' | 'PATCH'} /${string}`,
    { expected, body }: { expected: number; body?: object },
  ): Promise<Exchange<Body>> {
    const [method = '', path = ''] = line.split(' ');
    const startedAt = performance.now();
    const answer = await this.client.request({
      method: method as 'GET',
      path,
      headers: { authorization: `Bearer ${this.token}` },
      body: JSON.stringify(body),
    });
    const firstByteMs = performance.now() - startedAt;
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const milliseconds = performance.now() - startedAt;
    if (answer.statusCode !== expected) {
      throw new Error(`${line} answered ${answer.statusCode}: ${bytes.toString().slice(0, 500)}`);
    }
    return {
      status: answer.statusCode,
      body: JSON.parse(bytes.toString()) as Body,
      bytes: bytes.length,
      milliseconds,
      firstByteMs,
    };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
