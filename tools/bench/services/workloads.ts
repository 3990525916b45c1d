import { CONNECTIONS, type LoadRequest } from '../http/load';

export interface ServicesWorkload {
  name: string;
  next(connection: number): LoadRequest;
}

const COMMIT = 'b'.repeat(40);

/** Proposes a review for each connection, over HTTP. @returns requests about them */
export async function prepareWorkloads(url: string, token: string): Promise<ServicesWorkload[]> {
  const stem = `${Date.now()}`;
  const reviews = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, connection) => propose(url, token, `${stem}-${connection}`)),
  );
  const one = (connection: number): LoadRequest => ({
    method: 'GET',
    path: `/v1/reviews/${reviews[connection]}`,
  });
  const turns = new Array<number>(CONNECTIONS).fill(0);
  const five: ((connection: number) => LoadRequest)[] = [
    one,
    (connection) => report(reviews[connection]!, turns[connection]!),
    (connection) => ({ method: 'GET', path: `/v1/reviews/${reviews[connection]}/releases` }),
    () => ({ method: 'GET', path: '/v1/whoami' }),
    () => ({ method: 'GET', path: '/v1/audit-events?apiMethod=POST&apiPath=%2Fv1%2Freviews' }),
  ];
  return [
    { name: 'GET one review', next: one },
    {
      name: 'one of each service',
      next: (connection) => five[turns[connection]!++ % five.length]!(connection),
    },
  ];
}

/** Red and green in turns, so that each report moves its review. */
function report(reviewId: string, turn: number): LoadRequest {
  const successful = Math.floor(turn / 5) % 2 === 0;
  const body = { commitId: COMMIT, version: '1.0.0', successful };
  return { method: 'POST', path: `/v1/reviews/${reviewId}/builds`, body: JSON.stringify(body) };
}

async function propose(url: string, token: string, name: string): Promise<string> {
  const answer = await fetch(`${url}/v1/reviews`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, sourceBranch: name, targetBranch: name }),
  });
  if (answer.status !== 201) throw new Error(`POST /v1/reviews: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { reviewId: string }).reviewId;
}
