import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import { newId } from '@plat/contracts/core';
import {
  newSigningKey,
  type ServerProcess,
  startKubernetesApi,
  TEST_TENANTS,
  TEST_USERS,
} from '@plat/testing';
import type { Stand } from '../http/stand';

/** The scene of attacks: two tenants, three services, and what the attacking tenant can create with its own rights. */
export interface Scene {
  stand: Stand;
  servers: Record<'reviews' | 'builds' | 'audit' | 'platform', ServerProcess>;
  tokens: Record<'alice' | 'bob' | 'mallory', string>;
  /** A review of the attacker's with BUILDS builds. */
  largeReviewId: string;
  /** OPEN reviews of the attacker's, of a repository whose server takes a request and never answers. */
  tarpits: { reviewIds: string[]; remoteUrl: string };
  /** Environments of the attacker's, named as namespaces that were made for something else. */
  environmentIds: string[];
  close(): Promise<void>;
}

const BUILDS = 12_000;
const TARPITS = 64;
const ENVIRONMENTS = 32;
/** Entries of the attacker's sealed log, all of one kind. */
const ENTRIES = 300_000;

export async function setScene(stand: Stand): Promise<Scene> {
  await fillLog(stand.ownerUrl);
  const cluster = await startKubernetesApi();
  const ledger = { LEDGER_KEY: newSigningKey(), LEDGER_HOST: 'plat.example' };
  const servers = {
    reviews: await stand.startService('reviews', { VERIFIER_ALLOW_LOCAL: 'true' }),
    builds: await stand.startService('builds'),
    audit: await stand.startService('audit', ledger),
    platform: await stand.startService('platform', { CLUSTER_KUBECONFIG: cluster.kubeconfig }),
  };
  const tokens = {
    alice: await stand.token('alice'),
    bob: await stand.token('bob'),
    mallory: await stand.token('mallory'),
  };
  const tarpit = await startTarpit();
  const as = (url: string) => poster(url, tokens.alice);
  const reviewIds: string[] = [];
  for (let place = 0; place < TARPITS; place++) {
    const review = await as(servers.reviews.url)('/v1/reviews', {
      name: `Tarpit ${place}`,
      repository: tarpit.remoteUrl,
      sourceBranch: `feature/${place}`,
      targetBranch: `tarpit-${place}`,
    });
    reviewIds.push((review as { reviewId: string }).reviewId);
  }
  await fillRoles(as(servers.platform.url));
  const environmentIds: string[] = [];
  for (let place = 0; place < ENVIRONMENTS; place++) {
    const name = `taken-${place}`;
    cluster.namespaces.set(`acme-${name}`, 'active');
    const made = await as(servers.platform.url)('/v1/environments', { name, type: 'runtime' });
    environmentIds.push((made as { environmentId: string }).environmentId);
  }
  const [large] = await stand.seed.openReviews('alice', 'large', 1);
  await fillBuilds(stand.ownerUrl, large!.reviewId);
  return {
    stand,
    servers,
    tokens,
    largeReviewId: large!.reviewId,
    tarpits: { reviewIds, remoteUrl: tarpit.remoteUrl },
    environmentIds,
    close: async () => {
      await tarpit.close();
      await cluster.stop();
    },
  };
}

type Post = (path: string, body: unknown) => Promise<unknown>;

const poster =
  (url: string, token: string): Post =>
  async (path, body) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status === 409) return undefined;
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? undefined : response.json();
  };

/** Gives bob as many costly rules as the tenant's admin can, until a cap refuses more. */
async function fillRoles(post: Post): Promise<void> {
  for (let number = 0; ; number++) {
    const rules = Array.from({ length: 20 }, (_, place) => ({
      apiMethodPattern: '(GET|POST)',
      apiPathPattern: `/v1/(reviews|builds|releases).*(a|b|c).*x${number}-${place}.*(y|z).*`,
    }));
    const role = (await post('/v1/roles', { name: `Attack ${number}`, permissions: rules })) as
      { roleId: string } | undefined;
    if (!role) return;
    await post(`/v1/users/${TEST_USERS.bob.userId}/roles`, { roleId: role.roleId });
  }
}

async function fillBuilds(ownerUrl: string, reviewId: string): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(
    `INSERT INTO builds.builds
       (tenant_id, build_id, review_id, review_name, kind, successful, commit_id, version)
     SELECT $1, build, $2, 'Large', 'RECORDED', true, repeat('a', 40), '1.0.0' FROM unnest($3::uuid[]) AS build`,
    [TEST_TENANTS.acme.tenantId, reviewId, Array.from({ length: BUILDS }, () => newId())],
  );
  await owner.query('ANALYZE');
  await owner.end();
}

/** Makes a sealed log that nothing is added to, with the entries of rows that are gone. */
async function fillLog(ownerUrl: string): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query("SET session_replication_role = 'replica'");
  await owner.query(
    `INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open, closed)
     SELECT $1, n, 'audit', gen_random_uuid(), now(), sha256('open'), sha256('closed') FROM generate_series(0, $2 - 1) AS n`,
    [TEST_TENANTS.acme.tenantId, ENTRIES],
  );
  await owner.query(
    `INSERT INTO ledger.logs (tenant_id, origin, size, sealed_below, landed_below, cluster, note_size, note, note_keys)
     VALUES ($1, 'plat.example/log/acme', $2, '9223372036854775807', '9223372036854775807', 0, $2, 'signed', '{}')`,
    [TEST_TENANTS.acme.tenantId, ENTRIES],
  );
  await owner.query('ANALYZE ledger.entries');
  await owner.end();
}

/** A server that receives everything and answers nothing. */
async function startTarpit(): Promise<{ remoteUrl: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    remoteUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/acme/app`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
