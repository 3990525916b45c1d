import { ApiClient, type ApiCall, type ApiClientOptions } from '@plat/api-client';
import { apiFailure } from './api-failure';
import { maskTokens } from './mask-tokens';

/** A client that tells what it calls and what comes back. */
export class TracedApiClient extends ApiClient {
  constructor(
    options: ApiClientOptions,
    private readonly trace: (line: string) => void,
  ) {
    super(options);
  }

  override async send<Result>(call: ApiCall): Promise<Result> {
    const began = Date.now();
    const { method, path, query, body } = call;
    const sent = [query, body].filter((part) => part !== undefined).map((part) => JSON.stringify(part));
    this.say([method, `${this.baseUrl}${path}`, 'Authorization: Bearer ***', ...sent]);
    try {
      const answer = await super.send<Result>(call);
      this.say(['answered after', `${Date.now() - began} ms:`, JSON.stringify(answer) ?? 'nothing']);
      return answer;
    } catch (error) {
      const failure = apiFailure(error);
      const facts = failure ? [failure.code, failure.requestId ?? '', failure.message] : [String(error)];
      this.say(['failed after', `${Date.now() - began} ms:`, ...facts]);
      throw error;
    }
  }

  private say(words: readonly string[]): void {
    this.trace(`debug: ${maskTokens(words.join(' '))}`);
  }
}
