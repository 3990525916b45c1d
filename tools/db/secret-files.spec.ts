import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerUrlOf } from './owner-url';
import { withSecretFiles } from './secret-files';

const URL_OF_OWNER = 'postgres://owner:hunter2@db.example:5432/plat';

describe('the variables of the commands', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'plat-db-files-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const file = (content: string) => {
    const path = join(folder, 'value');
    writeFileSync(path, content);
    return path;
  };

  it('may be files, whose last newline is dropped', () => {
    const read = withSecretFiles({ HOME: '/', DATABASE_URL_FILE: file(`${URL_OF_OWNER}\n`) });
    expect(read).toMatchObject({ HOME: '/', DATABASE_URL: URL_OF_OWNER });
  });

  it('are refused, all faults at once, if both are set or a file cannot be read', () => {
    const given = {
      DATABASE_URL: URL_OF_OWNER,
      DATABASE_URL_FILE: file(URL_OF_OWNER),
      PLAT_AUDIT_PASSWORD_FILE: join(folder, 'absent'),
    };
    expect(() => withSecretFiles(given)).toThrow(
      'DATABASE_URL and DATABASE_URL_FILE are both set: keep one of them\n' +
        `PLAT_AUDIT_PASSWORD_FILE: ${join(folder, 'absent')} is not there`,
    );
  });

  it('DATABASE_CA_FILE makes the connection TLS that is verified', () => {
    const path = file('authorities');
    const url = new URL(ownerUrlOf({ DATABASE_URL: URL_OF_OWNER, DATABASE_CA_FILE: path }));
    expect(Object.fromEntries(url.searchParams)).toEqual({ sslmode: 'verify-full', sslrootcert: path });
    expect(ownerUrlOf({ DATABASE_URL: URL_OF_OWNER })).toBe(URL_OF_OWNER);
  });

  it('DATABASE_CA, which only services read, is refused and not left out', () => {
    expect(() => ownerUrlOf({ DATABASE_URL: URL_OF_OWNER, DATABASE_CA: 'authorities' })).toThrow(
      'DATABASE_CA is not read here: name a file of it in DATABASE_CA_FILE.',
    );
  });

  it.each<[string, () => Record<string, string>, string]>([
    [
      'is no file',
      () => ({ DATABASE_CA_FILE: folder, DATABASE_URL: URL_OF_OWNER }),
      'DATABASE_CA_FILE: /.* is a folder',
    ],
    [
      'stands next to a sslmode',
      () => ({ DATABASE_CA_FILE: file('x'), DATABASE_URL: `${URL_OF_OWNER}?sslmode=require` }),
      'DATABASE_URL must have no sslmode',
    ],
  ])('DATABASE_CA_FILE is refused if it %s', (_, given, fault) => {
    expect(() => ownerUrlOf(given())).toThrow(new RegExp(fault));
  });
});
