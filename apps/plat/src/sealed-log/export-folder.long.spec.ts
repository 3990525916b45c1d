import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile, SealedLog, writeLogFiles } from '@plat/testing';
import { ended, said } from '../black-box/plat-process';
import { pageFrom, queryOf, serveLog } from '../black-box/served-log';
import { signedInMachine } from '../black-box/signed-in';

const ENTRIES = 'GET /v1/audit-log/entries';

describe('the folder of plat audit export', () => {
  const disposals: (() => Promise<unknown>)[] = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp(audited = 5) {
    const { machine, platform, dispose } = await signedInMachine();
    disposals.push(dispose);
    const log = new SealedLog();
    log.addAudit(audited);
    serveLog(platform, log);
    const folder = join(machine.home, 'trail');
    const args = ['audit', 'export', folder, '--json'];
    return {
      ...{ machine, platform, log, folder, args },
      export: () => machine.plat(args),
      verify: () => machine.plat(['audit', 'verify', folder, '--key', log.verifierKey(), '--json']),
      /** Leaves the entries unanswered until `release` is called. `asked` says that the first were asked for. */
      hold: () => {
        let release!: () => void;
        const held = new Promise<void>((resolve) => (release = resolve));
        const asked = new Promise<void>((resolve) => {
          platform.answer(ENTRIES, async (request) => {
            resolve();
            await held;
            return { body: pageFrom(log, queryOf(request)) };
          });
        });
        return { asked, release };
      },
    };
  }
  const modeOf = async (folder: string) => (await stat(folder)).mode & 0o777;

  it('is private if the export makes it, and keeps its mode if it was there', async () => {
    const { folder, log, export: run } = await setUp();
    expect((await run()).code).toBe(0);
    expect(await modeOf(folder)).toBe(0o700);
    await chmod(folder, 0o755);
    log.addAudit();
    expect((await run()).json()).toMatchObject({ size: 7 });
    expect(await modeOf(folder)).toBe(0o755);
  });

  it('is no link, and no folder of another user', async () => {
    const { machine, folder, export: run } = await setUp();
    const elsewhere = join(machine.home, 'elsewhere');
    await mkdir(elsewhere);
    await symlink(elsewhere, folder);
    const refused = {
      code: 'FOLDER_NOT_USABLE',
      message: expect.stringContaining('it is a link') as unknown,
    };
    expect((await run()).json()).toMatchObject(refused);
    expect((await machine.plat(['audit', 'export', `${folder}/`, '--json'])).json()).toMatchObject(refused);
    expect(await readdir(elsewhere)).toEqual([]);
    if (process.getuid?.() !== 0) return;
    await chown(elsewhere, 12_345, 12_345);
    const foreign = await machine.plat(['audit', 'export', elsewhere, '--json']);
    expect(foreign.json()).toMatchObject({
      code: 'FOLDER_NOT_USABLE',
      message: expect.stringContaining('it belongs to another user') as unknown,
    });
  });

  it.each(['tile', 'disclosed'])('may have no link in the place of %s', async (name) => {
    const { machine, log, folder, export: run } = await setUp();
    const elsewhere = join(machine.home, 'elsewhere');
    await mkdir(folder);
    await mkdir(elsewhere);
    await symlink(elsewhere, join(folder, name));
    await writeFile(join(folder, '.unfinished'), `${log.origin}\n`);
    expect((await run()).json()).toMatchObject({ code: 'FOLDER_NOT_USABLE' });
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it.each(['.unfinished.unwritten', 'checkpoint.unwritten'])(
    'has its files written again, and no link %s is followed',
    async (name) => {
      const { machine, folder, export: run, verify } = await setUp();
      const precious = join(machine.home, 'precious');
      await writeFile(precious, 'precious');
      await mkdir(folder);
      await symlink(precious, join(folder, name));
      expect((await run()).code).toBe(0);
      expect(await readFile(precious, 'utf8')).toBe('precious');
      expect((await verify()).json()).toMatchObject({ outcome: 'SOUND' });
    },
  );

  it.each(['.lock', 'checkpoint', '.unfinished'])('may have no pipe in the place of %s', async (name) => {
    const { folder, export: run } = await setUp();
    await mkdir(folder);
    await promisify(execFile)('mkfifo', [join(folder, name)]);
    expect((await run()).json()).toMatchObject({
      code: 'FOLDER_NOT_USABLE',
      message: expect.stringContaining(`${name} in it is not a regular file`) as unknown,
    });
  });

  it.each(['.lock', '.lock.1.0123', '.unfinished', '.unfinished.unwritten', 'checkpoint.unwritten'])(
    'has no whole export while it has the file %s',
    async (name) => {
      const { folder, log, verify } = await setUp();
      await writeLogFiles(folder, log.files());
      expect((await verify()).json()).toMatchObject({ outcome: 'SOUND' });
      await writeFile(join(folder, name), '');
      const run = await verify();
      expect(run).toMatchObject({ code: 1 });
      expect(run.json()).toMatchObject({
        code: 'EXPORT_UNFINISHED',
        details: { next: `plat audit export ${folder}` },
      });
    },
  );

  it('is rid of what killed exports have left by the next one', async () => {
    const { folder, export: run, verify } = await setUp(300);
    await mkdir(folder);
    const gone = `${2 ** 30} x`;
    await writeFile(join(folder, '.lock'), gone);
    await writeFile(join(folder, `.lock.${2 ** 30}.0123`), gone);
    await writeFile(join(folder, '.unfinished.unwritten'), '');
    expect((await run()).json()).toMatchObject({ size: 301 });
    await mkdir(join(folder, 'disclosed'), { recursive: true });
    await writeFile(join(folder, 'checkpoint.unwritten'), '');
    await writeFile(join(folder, 'disclosed', '001.unwritten'), '');
    expect((await run()).code).toBe(0);
    expect((await readdir(folder)).sort()).toEqual(['checkpoint', 'disclosed', 'tile']);
    expect((await verify()).json()).toMatchObject({ outcome: 'SOUND' });
  });

  it('is left to an export that is at work in it: another one says so, and waits', async () => {
    const { machine, folder, args, hold, verify } = await setUp();
    const { asked, release } = hold();
    const first = await machine.start(args);
    const firstEnd = ended(first);
    await asked;
    const [second, third] = [await machine.start(args), await machine.start(args)];
    const ends = [ended(second), ended(third)];
    const waits = new RegExp(`^Waiting for the process ${first.pid}, which exports to ${folder} …$`, 'm');
    await Promise.all([said(second, waits), said(third, waits)]);
    third.kill('SIGINT');
    const stopped = (await Promise.all(ends.slice(1)))[0]!;
    expect(stopped.json()).toMatchObject({ code: 'INTERRUPTED', exitCode: 1 });
    release();
    expect(await firstEnd).toMatchObject({ code: 0 });
    expect(await ends[0]).toMatchObject({ code: 0 });
    expect((await verify()).json()).toMatchObject({ outcome: 'SOUND' });
  });

  it('comes out sound if fields are erased after they were exported, and the erasure is sealed later', async () => {
    const { log, export: run, verify } = await setUp(600);
    expect((await run()).code).toBe(0);
    for (const index of [4, 520]) log.entries[index] = { leaf: log.entries[index]!.leaf };
    log.addAudit(300);
    expect((await run()).json()).toMatchObject({ code: 'ERASURE_NOT_SEALED', details: { index: 520 } });
    log.erase([4, 520]);
    expect((await run()).json()).toMatchObject({ size: 902 });
    expect((await verify()).json()).toMatchObject({ outcome: 'SOUND', erased: 1 });
  });

  it('comes out sound if the platform shows fields that it withheld before, without an erasure', async () => {
    const { log, export: run, verify } = await setUp(600);
    const shown = [...log.entries];
    for (const index of [4, 300]) log.entries[index] = { leaf: log.entries[index]!.leaf };
    expect((await run()).json()).toMatchObject({ code: 'ERASURE_NOT_SEALED', details: { index: 4 } });
    log.entries.splice(0, shown.length, ...shown);
    expect((await run()).json()).toMatchObject({ size: 601 });
    expect((await verify()).json()).toMatchObject({ outcome: 'SOUND', erased: 0 });
  });
});
