import { SOURCE_SCHEMA } from '@plat/database';
import { describeMove, runMoveTenant, targetUrlOf } from './move-tenant';

const DATABASE = 'postgres://owner:hunter2@127.0.0.1:1/plat';

describe('npm run db -- move-tenant', () => {
  const run = (args: string[], environment: Record<string, string> = { TARGET_DATABASE_URL: DATABASE }) =>
    runMoveTenant({ ownerUrl: DATABASE, schema: SOURCE_SCHEMA, environment, print: () => undefined }, args);

  it.each<[string, string[], string]>([
    ['no tenant', ['--cancel'], 'move-tenant NAME'],
    ['nothing to do', ['acme'], 'move-tenant NAME'],
    ['two things to do', ['acme', '--cancel', '--finish'], 'move-tenant NAME'],
    ['an address to cancel', ['acme', '--cancel', '--to', 'https://two.example'], 'move-tenant NAME'],
    ['an address that is none', ['acme', '--to', 'two'], '--to must be the https address'],
    ['an address without TLS', ['acme', '--to', 'http://two.example'], '--to must be the https address'],
    [
      'a password in the address',
      ['acme', '--to', 'https://u:hunter2@two.example'],
      '--to must be the https address',
    ],
  ])('refuses before it connects, and repeats no password: %s', async (_, args, message) => {
    const refusal = await run(args).catch((error: Error) => error.message);
    expect(refusal).toContain(message);
    expect(refusal).not.toContain('hunter2');
  });

  it.each<[Record<string, string>, string]>([
    [{}, 'TARGET_DATABASE_URL is not set'],
    [{ TARGET_DATABASE_URL: 'two:hunter2' }, 'TARGET_DATABASE_URL must be postgres://'],
  ])('names the variable at fault: %j', async (environment, message) => {
    const refusal = await run(['acme', '--cancel'], environment).catch((error: Error) => error.message);
    expect(refusal).toContain(message);
    expect(refusal).not.toContain('hunter2');
  });

  it("verifies the new cell's certificate as that of the old one", () => {
    const environment = { TARGET_DATABASE_URL: DATABASE, DATABASE_CA_FILE: __filename };
    const { searchParams } = new URL(targetUrlOf(environment));
    expect(Object.fromEntries(searchParams)).toEqual({ sslmode: 'verify-full', sslrootcert: __filename });
  });

  it("leaves the new cell's address as it is if that has an sslmode of its own", () => {
    const url = `${DATABASE}?sslmode=verify-full&sslrootcert=/two.crt`;
    expect(targetUrlOf({ TARGET_DATABASE_URL: url, DATABASE_CA_FILE: __filename })).toBe(url);
  });

  it('says for how long requests were refused, unless an earlier run has made the switch', () => {
    const served = 'The tenant acme is served at https://two.example; ';
    expect(describeMove('acme', 'https://two.example', 186.2)).toBe(
      `${served}its requests were refused for 187 ms.`,
    );
    expect(describeMove('acme', 'https://two.example', 0)).toBe(
      `${served}an earlier run has made the switch.`,
    );
  });
});
