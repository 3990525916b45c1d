import { type ApiCall, ApiClient } from '@plat/api-client';
import { apiFailure } from '../failures/api-failure';
import { trace } from '../terminal/trace';

/** A client that traces its calls and their answers. */
export class TracedApiClient extends ApiClient {
  override async send<Result>(call: ApiCall): Promise<Result> {
    const began = Date.now();
    const { method, path, query, body } = call;
    const sent = [query, body].filter((part) => part !== undefined).map((part) => JSON.stringify(part));
    trace(method, `${this.baseUrl}${path}`, 'Authorization: Bearer ***', ...sent);
    try {
      const answer = await super.send<Result>(call);
      trace(`answered after ${Date.now() - began} ms:`, JSON.stringify(answer) ?? 'nothing');
      return answer;
    } catch (error) {
      const failure = apiFailure(error);
      const facts = failure ? [failure.code, failure.requestId ?? '', failure.message] : [String(error)];
      trace(`failed after ${Date.now() - began} ms:`, ...facts);
      throw error;
    }
  }
}
