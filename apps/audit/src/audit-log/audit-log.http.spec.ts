import { setTimeout as delay } from 'node:timers/promises';
import {
  CompactRange,
  isCommitted,
  leafHash,
  openCheckpoint,
  parseCheckpoint,
  parseLeaf,
  parseNote,
  parseVerifierKey,
  verifyConsistency,
  verifyInclusion,
} from '@plat/ledger';
import { startTestService, TEST_TENANTS, type TestService, type TestUser } from '@plat/testing';
import { auditService } from '../service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(auditService);
});
afterAll(() => service.stop());

const get = (path: string, by: TestUser = 'alice') =>
  service.send(by, `GET /v1/audit-log/${path}` as 'GET /');
const hash = (base64: string): Buffer => Buffer.from(base64, 'base64');

/** Asks for the checkpoint until the log has so many entries; each request adds a row. */
async function waitForSize(
  size: number,
  by: TestUser = 'alice',
): Promise<{ size: number; checkpoint: string }> {
  for (;;) {
    const { status, body } = await get('checkpoint', by);
    if (status === 200 && body.size >= size) return body;
    // Each of these requests is a row that is sealed, so that a tight loop would make a long log.
    await delay(50);
  }
}

describe('GET /v1/audit-log/checkpoint', () => {
  it("shows size and root as the log's key has signed them, named by the tenant", async () => {
    const { checkpoint: note, ...shown } = (await waitForSize(2)) as Record<string, unknown> & {
      checkpoint: string;
    };
    const { body } = await get('keys');
    const known = body.keys.map(({ verifierKey }: { verifierKey: string }) => parseVerifierKey(verifierKey));
    const { checkpoint } = openCheckpoint(note, known);
    expect(checkpoint.origin).toBe(`plat.example/log/${TEST_TENANTS.acme.tenantId}`);
    expect(shown).toMatchObject({
      origin: checkpoint.origin,
      size: checkpoint.size,
      rootHash: Buffer.from(checkpoint.rootHash).toString('base64'),
    });
  });

  it("is each tenant's own", async () => {
    const { checkpoint } = await waitForSize(1, 'mallory');
    expect(parseCheckpoint(parseNote(checkpoint).text).origin).toBe(
      `plat.example/log/${TEST_TENANTS.globex.tenantId}`,
    );
  });

  it('403 for a role that does not permit the trail', async () => {
    expect((await get('checkpoint', 'ci')).status).toBe(403);
  });
});

describe('GET /v1/audit-log/entries', () => {
  it('shows each entry of the signed log once, and its fields as the trail shows them', async () => {
    const { size, checkpoint } = await waitForSize(5);
    const range = CompactRange.empty();
    const fields: Record<string, unknown>[] = [];
    for (let from: number | undefined = 0; from !== undefined && from < size;) {
      const { body } = await get(`entries?from=${from}&limit=2`);
      for (const { index, leaf, salt, fields: text } of body.entries) {
        if (index >= size) continue;
        range.append(leafHash(Buffer.from(leaf)));
        expect(isCommitted(parseLeaf(Buffer.from(leaf)).open, { salt: hash(salt), fields: text })).toBe(true);
        fields.push(JSON.parse(text));
      }
      from = body.nextFrom;
    }
    const { rootHash } = parseCheckpoint(parseNote(checkpoint).text);
    expect(range.root()).toEqual(Buffer.from(rootHash));
    expect(fields[0]).toMatchObject({ algorithm: 'Ed25519' });
    const { body } = await service.send('alice', 'GET /v1/audit-events?limit=200');
    const shown = new Map(body.events.map((event: { auditEventId: string }) => [event.auditEventId, event]));
    const common = fields.filter(({ auditEventId }) => shown.has(auditEventId as string));
    expect(common).not.toEqual([]);
    for (const event of common) expect(event).toEqual(shown.get(event.auditEventId as string));
  });

  it('filters by kind', async () => {
    await waitForSize(2);
    const { body } = await get('entries?kind=key');
    expect(body.entries).toHaveLength(1);
    expect(parseLeaf(Buffer.from(body.entries[0].leaf)).kind).toBe('key');
  });
});

describe('GET /v1/audit-log/tile', () => {
  it('shows so many hashes of the entries, and 404 more than are signed', async () => {
    const { size } = await waitForSize(3);
    const { body } = await get(`tile?level=0&index=0&width=${Math.min(size, 256)}`);
    const { body: page } = await get('entries?limit=1');
    expect(hash(body.hashes).subarray(0, 32)).toEqual(leafHash(Buffer.from(page.entries[0].leaf)));
    expect((await get('tile?level=0&index=9')).status).toBe(404);
    expect((await get('tile?level=1&index=0&width=1')).status).toBe(404);
  });
});

describe('GET /v1/audit-log/inclusion-proof', () => {
  it('proves that a row of the trail is in the signed log', async () => {
    await waitForSize(4);
    const { body: page } = await get('entries?from=1&limit=1');
    const { auditEventId } = JSON.parse(page.entries[0].fields);
    for (const name of ['index=1', `auditEventId=${auditEventId}`]) {
      const { body } = await get(`inclusion-proof?${name}`);
      expect(body).toMatchObject({ index: 1, leaf: page.entries[0].leaf, fields: page.entries[0].fields });
      const head = parseCheckpoint(parseNote(body.checkpoint).text);
      expect(head.size).toBe(body.size);
      const proven = { index: 1, leafHash: leafHash(Buffer.from(body.leaf)), head };
      expect(verifyInclusion(proven, body.hashes.map(hash))).toBe(true);
    }
  });

  it('404 for an entry beyond the tree, a size that is not signed and a row of another tenant', async () => {
    await waitForSize(3);
    await waitForSize(2, 'mallory');
    const { body } = await get('entries?from=1&limit=1', 'mallory');
    const { auditEventId } = JSON.parse(body.entries[0].fields);
    for (const name of ['index=2&size=2', 'index=0&size=900000', `auditEventId=${auditEventId}`]) {
      expect((await get(`inclusion-proof?${name}`)).status).toBe(404);
    }
  });
});

describe('GET /v1/audit-log/consistency-proof', () => {
  it('proves that the log has only grown', async () => {
    const from = parseCheckpoint(parseNote((await waitForSize(2)).checkpoint).text);
    const to = parseCheckpoint(parseNote((await waitForSize(from.size + 3)).checkpoint).text);
    const { body } = await get(`consistency-proof?from=${from.size}&to=${to.size}`);
    expect(verifyConsistency({ from, to }, body.hashes.map(hash))).toBe(true);
  });

  it('404 for a size that is not signed', async () => {
    await waitForSize(2);
    expect((await get('consistency-proof?from=900000')).status).toBe(404);
  });
});

describe('a query that cannot be read', () => {
  it.each([
    'entries?from=-1',
    'entries?from=x',
    'entries?from=99999999999999999999',
    'entries?limit=0',
    'entries?kind=row',
    'tile?level=8&index=0',
    'tile?index=0',
    'tile?level=0&index=0&width=257',
    'inclusion-proof',
    'inclusion-proof?index=0&reviewId=0190a0b0-c0d0-7000-8000-000000000001',
    'inclusion-proof?auditEventId=1',
    'inclusion-proof?index=0&size=0',
    'consistency-proof',
    'consistency-proof?from=0',
    'consistency-proof?from=3&to=2',
  ])('400 INVALID_QUERY for %s', async (path) => {
    const { status, body } = await get(path);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_QUERY' });
  });
});
