import type { AttackOrder, AttackRequest, Manner } from './order';
import type { Scene } from './scene';

/** One attack, by a tenant with its own rights or by someone without a token. */
export interface Attack {
  name: string;
  orders: AttackOrder[];
}

const NO_ID = '00000000-0000-0000-0000-000000000000';
const get = (path: string): AttackRequest => ({ method: 'GET', path });
const send = (method: string, path: string, body: unknown): AttackRequest => ({
  method,
  path,
  body: JSON.stringify(body),
});

/** All attacks, in the order of the table. */
export function attacksOf(scene: Scene): Attack[] {
  return [...byTenant(scene), ...withMeans(scene), ...byNobody(scene)];
}

/** Attacks by a tenant that only repeats requests that it may send. */
function byTenant({ servers, tokens, largeReviewId }: Scene): Attack[] {
  const reviews = { url: servers.reviews.url, token: tokens.alice };
  const builds = { url: servers.builds.url, token: tokens.alice };
  const report = { commitId: 'b'.repeat(40), version: '1.0.0', successful: true };
  const empty = send('POST', '/v1/reviews/merge-queue/advance', { targetBranch: 'empty' });
  const listing = get(`/v1/reviews/${largeReviewId}/builds`);
  return [
    {
      name: 'refusals in a loop, 150 connections',
      orders: [
        order(reviews, ['flood', 100], [empty, get(`/v1/reviews/${NO_ID}`)]),
        order(builds, ['flood', 50], [send('POST', `/v1/reviews/${NO_ID}/builds`, report)]),
      ],
    },
    {
      name: 'answers in a loop, 150 connections',
      orders: [
        order(reviews, ['flood', 100], [get(`/v1/reviews/${largeReviewId}`)]),
        order(builds, ['flood', 50], [send('POST', `/v1/reviews/${largeReviewId}/builds`, report)]),
      ],
    },
    {
      name: 'listings of everything, 64 connections',
      orders: [
        order(builds, ['flood', 32], [listing, get('/v1/builds')]),
        order(reviews, ['flood', 32], [get('/v1/reviews')]),
      ],
    },
    {
      name: 'readers that never read, 128 connections',
      orders: [
        order(builds, ['unread', 64], [listing]),
        order(reviews, ['unread', 64], [get('/v1/reviews')]),
      ],
    },
  ];
}

/** Attacks by a tenant that makes each request expensive: by many rules, or by remotes that never answer. */
function withMeans({ servers, tokens, tarpits }: Scene): Attack[] {
  return [
    {
      name: 'as many rules as a user may have, new templates',
      orders: [
        order(
          { url: servers.reviews.url, token: tokens.bob },
          ['flood', 50],
          [
            get(`/v1/reviews/${NO_ID}`),
            get(`/v1/reviews/${NO_ID}/comments`),
            get('/v1/gate-runs'),
            send('POST', '/v1/reviews/merge-queue/override-advance', { targetBranch: 'empty', reason: 'x' }),
          ],
        ),
      ],
    },
    {
      name: 'remotes that never answer, 64 reports',
      orders: [
        order(
          { url: servers.reviews.url, token: tokens.alice },
          ['flood', 64],
          tarpits.reviewIds.map((id) =>
            send('PATCH', `/v1/reviews/${id}/status`, { status: 'MERGED', remoteUrl: tarpits.remoteUrl }),
          ),
        ),
      ],
    },
  ];
}

function byNobody({ servers }: Scene): Attack[] {
  const each = (manner: Manner, connections: number, requests: AttackRequest[]) =>
    [servers.reviews, servers.builds].map(({ url }) => order({ url }, [manner, connections], requests));
  return [
    {
      name: 'nobody: bodies of 1 MiB and without an end, 400',
      orders: each('bodies', 200, [{ method: 'POST', path: '/v1/reviews' }]),
    },
    {
      name: 'nobody: malformed targets, 100 connections',
      orders: each('flood', 50, [
        get('//'),
        get('http://['),
        get('/v1/%zz'),
        get('/v1/reviews/%ff'),
        get('*'),
      ]),
    },
    {
      name: 'nobody: requests without a token, 100 connections',
      orders: each('flood', 50, [get('/v1/reviews')]),
    },
  ];
}

function order(
  at: Pick<AttackOrder, 'url' | 'token'>,
  [manner, connections]: [Manner, number],
  requests: AttackRequest[],
): AttackOrder {
  return { ...at, manner, connections, requests };
}
