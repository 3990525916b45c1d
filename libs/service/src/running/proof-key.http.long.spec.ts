import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { claimsOf, probeService, startTestService, type TestService } from '@plat/testing';

const PAGE = readFileSync(join(workspaceRoot(), 'docs/operations.md'), 'utf8');

describe('the key that seals the proofs of callers', () => {
  let service: TestService;
  beforeEach(async () => (service = await startTestService(probeService(() => ({})))));
  afterEach(() => service.stop());

  async function ask(user: 'alice' | 'bob'): Promise<number> {
    const authorization = `Bearer ${await service.issuer.token(claimsOf(user))}`;
    return (await fetch(`${service.url}/v1/whoami`, { headers: { authorization } })).status;
  }
  /** Asks until the answer is another one. */
  async function askPast(user: 'alice' | 'bob', former: number): Promise<number> {
    for (;;) {
      const status = await ask(user);
      if (status !== former) return status;
    }
  }

  it('may be replaced as docs/operations.md says: new callers are served at once, cached ones a moment later', async () => {
    expect(await ask('alice')).toBe(200);
    const [, statement = ''] = /^```sql proof-key\n([^]*?)^```$/m.exec(PAGE) ?? [];
    await service.database.query(statement);
    // The service keeps the former proof of alice for five seconds.
    expect(await Promise.all([ask('alice'), ask('bob')])).toEqual([503, 200]);
    expect(await askPast('alice', 503)).toBe(200);
  });

  it('is missed by every request at once, and by none once there is another one', async () => {
    await service.database.query('DELETE FROM identity.proof_keys');
    const users = ['alice', 'bob', 'alice', 'bob', 'alice', 'bob'] as const;
    expect(await Promise.all(users.map(ask))).toEqual(users.map(() => 503));
    await service.database.query(`INSERT INTO identity.proof_keys (key) VALUES (sha256('another'))`);
    expect(await Promise.all(users.map((user) => askPast(user, 503)))).toEqual(users.map(() => 200));
  });
});
