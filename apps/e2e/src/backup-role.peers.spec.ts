/**
 * @peers postgresql-15
 * @paths docs/operations.md libs apps/e2e/src tools/db
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@plat/database';
import { connectionVariables, PageCommands } from './restore/page-commands';
import { ask } from './restore/portrait';
import { type OwnedDatabase, startOwnedDatabase } from './rotation/owned-database';

const PASSWORD = 'of-the-backup';

describe.each(['15', '18'] as const)(
  'the role for backups, with the owner of the page, on PostgreSQL %s',
  (version) => {
    let folder: string;
    let page: PageCommands;
    let database: OwnedDatabase;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'plat-backup-role-'));
      page = await PageCommands.in(folder);
      database = await startOwnedDatabase(version, { page, folder: join(folder, 'database') });
      await migrate(database.ownerUrl);
    }, 120_000);
    afterEach(async () => {
      await database.cluster.stop();
      await rm(folder, { recursive: true });
    });

    const runLogins = (password = PASSWORD): Promise<string> =>
      page.follow('role', { DATABASE_URL: database.ownerUrl, PLAT_BACKUP_PASSWORD: password });
    const typeAsSuperuser = (lines: string, password = PASSWORD): Promise<void> =>
      page.typeInPsql(lines, {
        environment: connectionVariables(database.cluster.url('plat')),
        answers: [password],
      });
    const readRefusal = async (password?: string): Promise<string> => {
      const { message } = await runLogins(password).then(
        () => new Error('nothing was refused'),
        (error: Error) => error,
      );
      return message
        .split('\n')
        .filter((line) => line.startsWith('  '))
        .join('\n');
    };
    const logIn = async (password: string): Promise<string> => {
      const [row] = await ask(database.url('plat_backup', password), 'SELECT session_user::text AS login');
      return row!.login!;
    };

    it('is made by the statements that the owner gets printed, which are those of the page, and taken as it is', async () => {
      const statements = await readRefusal();
      expect(statements.replaceAll(/^ {2}/gm, '')).toBe(page.block('sql', 'backup').trimEnd());
      await typeAsSuperuser(statements);
      expect(await runLogins()).toContain('plat_backup is ready, and has its password');
      expect(await logIn(PASSWORD)).toBe('plat_backup');
    }, 120_000);

    it('gets another password by what the owner gets printed', async () => {
      await typeAsSuperuser(page.block('sql', 'backup'), 'the-former-one');
      const statements = await readRefusal();
      expect(statements.trim()).toBe('\\password plat_backup');
      await typeAsSuperuser(statements);
      expect(await runLogins()).toContain('is ready');
    }, 120_000);

    it('that would miss rows is mended by what the owner gets printed', async () => {
      await database.asSuperuser('CREATE ROLE plat_backup LOGIN');
      await typeAsSuperuser(await readRefusal());
      expect(await runLogins()).toContain('is ready');
    }, 120_000);
  },
);
