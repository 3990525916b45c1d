/**
 * @peers ledger
 * @paths libs/ledger libs/testing/src/ledger libs/database/migrations libs/database/functions apps/audit apps/plat/src/sealed-log
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judgeFolder, TEST_TENANTS, TEST_USERS } from '@plat/testing';
import { type Checkout, DriveStand } from './drive-stand';

jest.setTimeout(120_000);

const { tenantId } = TEST_TENANTS.acme;
const SOUND = { go: 'sound', tessera: 'sound' };

describe('the log of a platform', () => {
  let stand: DriveStand;
  let checkout: Checkout;
  let key: string;
  beforeAll(async () => {
    stand = await DriveStand.set();
    checkout = await stand.repository('judged');
    await checkout.propose('feature/1', { 'README.md': 'landed\n' });
    expect(await checkout.plat(['drive', '--target-branch', 'main', '--gate-command', 'true'])).toMatchObject(
      {
        code: 0,
      },
    );
    for (let request = 0; request < 300; request += 1) await stand.service.send('alice', 'GET /v1/whoami');
    await untilSealed('landing');
    key = (await answer<{ keys: { verifierKey: string }[] }>('keys')).keys[0]!.verifierKey;
  });
  afterAll(() => stand.strike());

  const answer = async <T>(what: string): Promise<T> =>
    (await stand.service.send('alice', `GET /v1/audit-log/${what}`)).body as T;

  /** Asks until an entry of the kind is sealed, and all requests before. */
  async function untilSealed(kind: string): Promise<void> {
    for (;;) {
      const { entries } = await answer<{ entries: { index: number }[] }>(`entries?kind=${kind}`);
      const { size } = await answer<{ size: number }>('checkpoint');
      if (entries.length > 0 && size > 300) return;
    }
  }

  /** Exports to a new folder. @returns the export's exit code, and who judges how */
  async function exportAndJudge(name: string) {
    const folder = join(stand.home, name);
    await mkdir(folder);
    await writeFile(join(folder, 'key'), key);
    const log = join(folder, 'log');
    const exported = await checkout.plat(['audit', 'export', log]);
    const verified = await checkout.plat(['audit', 'verify', log, '--key', key]);
    const ours = JSON.parse(verified.stdout) as { outcome: string; index?: number };
    return { code: exported.code, ours, ...(await judgeFolder(folder, [key])) };
  }

  it('is accepted by other people’s programs, with landings, and with erased fields', async () => {
    expect(await exportAndJudge('whole')).toMatchObject({ code: 0, ours: { outcome: 'SOUND' }, ...SOUND });
    await stand.service.database.query('SELECT ledger.erase_user($1, $2)', [
      tenantId,
      TEST_USERS.alice.userId,
    ]);
    await untilSealed('erasure');
    expect(await exportAndJudge('erased')).toMatchObject({ code: 0, ours: { outcome: 'SOUND' }, ...SOUND });
  });

  it('is refused by the program that reads what entries commit to, at the entry whose row was edited', async () => {
    const [row] = await stand.service.database.query<{ index: number; id: string; method: string }>(
      `SELECT x.leaf_index::int AS index, x.id, e.api_method AS method
         FROM ledger.entries x JOIN audit.audit_events e ON e.tenant_id = x.tenant_id AND e.audit_event_id = x.id
        WHERE x.tenant_id = $1 AND x.open_salt IS NOT NULL ORDER BY x.leaf_index LIMIT 1`,
      [tenantId],
    );
    const { index, id, method } = row!;
    const write = (text: string) =>
      stand.service.database.query(
        'UPDATE audit.audit_events SET api_method = $3 WHERE tenant_id = $1 AND audit_event_id = $2',
        [tenantId, id, text],
      );
    await write('PATCH');
    const { code, ours, go, tessera } = await exportAndJudge('edited');
    await write(method);
    expect({ code, ours, tessera }).toMatchObject({
      ...{ code: 1, ours: { outcome: 'ALTERED', index } },
      // It knows the tree alone, which is as it was.
      tessera: 'sound',
    });
    expect(go).toContain(`entry ${index}`);
  });
});
