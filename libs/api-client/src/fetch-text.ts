import { requestText, type TextAnswer } from './http';
import { shapeFaultOf } from './json-shape';

/** Statuses whose answers have no body. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/** The members of fetch's second parameter that are read. */
export interface FetchInit {
  method?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  body?: unknown;
  signal?: AbortSignal | null | undefined;
}

/**
 * Makes a `fetch` for libraries that take one. It goes by the rules of `requestText`: by the person's proxy, without
 * redirects, and for answers of a bounded size, whose JSON takes a bounded memory.
 *
 * @param answerBytesMax longest answer, in bytes after it is decompressed
 */
export const boundFetch =
  (answerBytesMax: number) =>
  async (address: string | URL, init: FetchInit = {}): Promise<Response> => {
    const { method = 'GET', headers = {}, body, signal } = init;
    const text = body == null ? undefined : String(body);
    const request = { method, headers, body: text, signal: signal ?? undefined };
    const answer = await requestText(String(address), request, answerBytesMax);
    const fault = isJson(answer) ? shapeFaultOf(answer.data) : undefined;
    if (fault !== undefined) throw new Error(`the answer of ${new URL(address).host} is refused: ${fault}`);
    const kept = Object.entries(answer.headers).filter(([, value]) => typeof value === 'string');
    const response = new Response(WITHOUT_BODY.includes(answer.status) ? null : answer.data, {
      status: answer.status,
      headers: Object.fromEntries(kept) as Record<string, string>,
    });
    // A response that is made has no address, and pages of a listing are found from it.
    return Object.defineProperty(response, 'url', { value: String(address) });
  };

const isJson = ({ data, headers }: TextAnswer): boolean =>
  typeof data === 'string' && /json/i.test(String(headers['content-type'] ?? ''));
