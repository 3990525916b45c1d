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
  return [...byTenant(scene), ...withMeans(scene), ...byShape(scene), ...byNobody(scene)];
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

/** Bytes of a large body, below what a service takes. */
const BODY_LENGTH = 1_000_000;

/** Attacks by a tenant whose requests are few and of a shape that costs work: bodies, reads of what is rare, deletions. */
function byShape({ servers, tokens, environmentIds }: Scene): Attack[] {
  const [reviews, audit, platform] = [servers.reviews, servers.audit, servers.platform].map(({ url }) => ({
    url,
    token: tokens.alice,
  })) as [Caller, Caller, Caller];
  const fields = '"name":"Large","sourceBranch":"large","targetBranch":"large"';
  const keyed = (key: string, extra: string): AttackRequest => ({
    method: 'POST',
    path: '/v1/reviews',
    headers: { 'idempotency-key': key },
    body: `{${fields},"extra":${extra}}`,
  });
  const depth = BODY_LENGTH / 2;
  return [
    {
      name: 'bodies of 1 MB that lie deep, with a key, 50 connections',
      orders: [order(reviews, ['flood', 50], [keyed('deep', '['.repeat(depth) + ']'.repeat(depth))])],
    },
    {
      name: 'bodies of 1 MB of many fields, with a key, 50 connections',
      orders: [order(reviews, ['flood', 50], [keyed('wide', manyFields())])],
    },
    {
      name: 'entries of a kind that the log has not, 50 connections',
      orders: [order(audit, ['flood', 50], [get('/v1/audit-log/entries?kind=erasure')])],
    },
    {
      name: "others' namespaces, deleted in a loop, 32 connections",
      orders: [
        order(
          platform,
          ['flood', 32],
          environmentIds.map((id) => ({ method: 'DELETE', path: `/v1/environments/${id}` })),
        ),
      ],
    },
  ];
}

type Caller = Pick<AttackOrder, 'url' | 'token'>;

/** An object in which every field is short, in an order that sorting has to change. */
function manyFields(): string {
  const fields: string[] = [];
  for (let number = 0, length = 0; length < BODY_LENGTH; number++) {
    const field = `"${String(number).split('').reverse().join('')}x":0`;
    fields.push(field);
    length += field.length + 1;
  }
  return `{${fields.join(',')}}`;
}

function byNobody({ servers }: Scene): Attack[] {
  const each = (manner: Manner, connections: number, requests: AttackRequest[]) =>
    [servers.reviews, servers.builds].map(({ url }) => order({ url }, [manner, connections], requests));
  return [
    {
      name: 'no one: bodies of 1 MiB and without an end, 400',
      orders: each('bodies', 200, [{ method: 'POST', path: '/v1/reviews' }]),
    },
    {
      name: 'no one: malformed targets, 100 connections',
      orders: each('flood', 50, [
        get('//'),
        get('http://['),
        get('/v1/%zz'),
        get('/v1/reviews/%ff'),
        get('*'),
      ]),
    },
    {
      name: 'no one: requests without a token, 100 connections',
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
