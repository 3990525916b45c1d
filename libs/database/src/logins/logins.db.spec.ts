import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { scramVerifier, setLoginPasswords } from './logins';

describe('the password of a login', () => {
  let database: TestDatabase;
  const role = `spec_${randomBytes(4).toString('hex')}`;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(`CREATE ROLE ${role} LOGIN`);
  });
  afterAll(async () => {
    await database.query(`DROP ROLE ${role}`);
    await database.drop();
  });

  /** Logs in over TCP, as a service does. @returns the role that the session has */
  async function logIn(password: string): Promise<string> {
    const { hostname: host, port, pathname } = new URL(database.ownerUrl);
    const client = new Client({
      host,
      port: Number(port),
      database: pathname.slice(1),
      user: role,
      password,
    });
    await client.connect();
    const { rows } = await client.query<{ me: string }>('SELECT current_user::text AS me');
    await client.end();
    return rows[0]!.me;
  }

  it.each(['test', 'with space', `q'"$\\u0000;--`, 'pässwörd-\u{1F511}', 'x'.repeat(200)])(
    'logs in once it is set, and no other password does: %.20s',
    async (password) => {
      await setLoginPasswords(database.ownerUrl, { [role]: password });
      expect(await logIn(password)).toBe(role);
      await expect(logIn(`${password}x`)).rejects.toThrow('password authentication failed');
    },
  );

  it('is stored as a salted verifier that no one can log in with', async () => {
    await setLoginPasswords(database.ownerUrl, { [role]: 'test' });
    const [stored] = await database.query<{ rolpassword: string }>(
      'SELECT rolpassword FROM pg_authid WHERE rolname = $1',
      [role],
    );
    expect(stored!.rolpassword).toMatch(/^SCRAM-SHA-256\$4096:/);
    await expect(logIn(stored!.rolpassword)).rejects.toThrow('password authentication failed');
  });

  it('has a different verifier for each salt', () => {
    expect(scramVerifier('test')).not.toBe(scramVerifier('test'));
    const salt = Buffer.alloc(16, 1);
    expect(scramVerifier('test', salt)).toBe(scramVerifier('test', salt));
  });

  it('cannot be set if the role does not exist, even if the name holds SQL', async () => {
    const name = 'x" SUPERUSER; --';
    await expect(setLoginPasswords(database.ownerUrl, { [name]: 'test' })).rejects.toThrow('does not exist');
  });
});
