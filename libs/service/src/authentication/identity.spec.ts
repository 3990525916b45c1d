import type { Database } from '@plat/database';
import { Identities } from './identity';

const CLAIMS = { issuer: 'https://id.example', subject: 's', expiresAt: 0 };
const STRANGERS = JSON.stringify([CLAIMS.issuer]);

/** Identities over a directory with the tenants of some organisations, and the share that each look-up took. */
function identitiesOf(tenants: Record<string, string>) {
  const shares: (string | undefined)[] = [];
  const run = ({ share, values }: Parameters<Database['run']>[0]) => {
    shares.push(share);
    const tenantId = tenants[String(values[2])];
    return Promise.resolve(tenantId === undefined ? [] : [{ tenant_id: tenantId, user_id: null }]);
  };
  const identities = new Identities({ run } as Pick<Database, 'run'> as Database);
  const resolve = (organization: string) =>
    identities.resolve({ ...CLAIMS, organization }).catch(() => undefined);
  const slotKeyOf = (organization: string) => identities.slotKeyOf({ ...CLAIMS, organization });
  return { resolve, slotKeyOf, shares };
}

describe("the slots and connections of a tenant's callers", () => {
  it('are one share for all its organisations, and the slots of requests keep the key of the first organisation', async () => {
    const { resolve, slotKeyOf, shares } = identitiesOf({ one: 't1', other: 't1' });
    const [one, other] = [slotKeyOf('one'), slotKeyOf('other')];
    expect(one).not.toBe(other);
    for (const organization of ['one', 'other', 'one', 'other']) await resolve(organization);
    expect([slotKeyOf('one'), slotKeyOf('other')]).toEqual([one, one]);
    expect(shares).toEqual([one, other, 't1', 't1']);
  });

  it('are one share for all organisations of an issuer that have no tenant', async () => {
    const { resolve, slotKeyOf, shares } = identitiesOf({});
    for (const organization of ['one', 'other', 'one']) await resolve(organization);
    expect([slotKeyOf('one'), slotKeyOf('other'), shares[2]]).toEqual([STRANGERS, STRANGERS, STRANGERS]);
  });

  it("are the tenant's as soon as the organisation has a tenant", async () => {
    const tenants: Record<string, string> = {};
    const { resolve, slotKeyOf } = identitiesOf(tenants);
    const own = slotKeyOf('one');
    await resolve('one');
    tenants.one = 't1';
    await resolve('one');
    expect(slotKeyOf('one')).toBe(own);
  });
});

it('a caller whom the database cannot prove is refused, and not remembered', async () => {
  const rows: object[] = [{ tenant_id: 't1', user_id: 'u1', proof: null, permissions: [] }];
  const run = () => Promise.resolve(rows);
  const identities = new Identities({ run } as Pick<Database, 'run'> as Database);
  await expect(identities.resolve(CLAIMS)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    cause: expect.objectContaining({ message: expect.stringContaining('identity.proof_keys has no key') }),
  });
  rows[0] = { ...rows[0], proof: 'sealed' };
  expect(await identities.resolve(CLAIMS)).toMatchObject({ tenantId: 't1', proof: 'sealed' });
});
