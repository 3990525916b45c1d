import { trace } from '../terminal/trace';

/** An answer of the forge, as Octokit returns it or throws it within an error. */
interface Answer {
  status: number;
  headers: Readonly<Record<string, string | number | undefined>>;
}

/** Traces a call to the forge and its answer, without bodies, which are in the command's result. */
export async function traceCall<T extends Answer>(
  { method, url }: { method: string; url: string },
  send: () => Promise<T>,
): Promise<T> {
  const began = Date.now();
  trace(method, url, 'Authorization: token ***');
  const report = (outcome: string) => trace(outcome, `after ${Date.now() - began} ms`);
  try {
    const answer = await send();
    report(answered(answer));
    return answer;
  } catch (error) {
    const { response } = error as { response?: Answer };
    report(response === undefined ? `failed (${(error as Error).message})` : answered(response));
    throw error;
  }
}

/** Includes the forge's own id of the request, by which its operators find it. */
function answered({ status, headers: { 'x-github-request-id': id } }: Answer): string {
  return id === undefined ? `answered ${status}` : `answered ${status} to request ${id}`;
}
