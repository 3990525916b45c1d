import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SealedLog } from '@plat/testing';
import { forkOf, pageFrom, queryOf, serveLog } from '../black-box/served-log';
import { signedInMachine } from '../black-box/signed-in';

describe('an export of what is not sound', () => {
  const disposals: (() => Promise<unknown>)[] = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp() {
    const { machine, platform, dispose } = await signedInMachine();
    disposals.push(dispose);
    const log = new SealedLog();
    log.addAudit(600);
    serveLog(platform, log);
    const folder = join(machine.home, 'trail');
    return {
      ...{ log, platform, folder },
      export: (...flags: string[]) => machine.plat(['audit', 'export', folder, ...flags, '--json']),
      verify: () => machine.plat(['audit', 'verify', folder, '--key', log.verifierKey(), '--json']),
    };
  }

  /** Another word in what is disclosed of an entry. */
  function edit(log: SealedLog, index: number): void {
    const { leaf, shown } = log.entries[index]!;
    log.entries[index] = { leaf, shown: { ...shown!, fields: shown!.fields.replace('API', 'MCP') } };
  }

  it('is written as it was shown, so that everybody finds what is wrong with it', async () => {
    const { log, export: run, verify } = await setUp();
    edit(log, 300);
    edit(log, 400);
    const exported = await run();
    expect(exported).toMatchObject({ code: 1 });
    expect(exported.json()).toMatchObject({ code: 'LOG_NOT_SOUND', details: { index: 300 } });
    const verified = await verify();
    expect(verified).toMatchObject({ code: 1 });
    expect(verified.json()).toMatchObject({ outcome: 'ALTERED', index: 300 });
  });

  it('is written whole if its entries are not those of the checkpoint', async () => {
    const { log, platform, export: run, verify } = await setUp();
    const other = forkOf(log, 200);
    other.addAudit(401);
    serveLog(platform, other, [log.key]);
    const checkpoint = { origin: log.origin, size: log.size, checkpoint: log.checkpoint() };
    platform.answer('GET /v1/audit-log/checkpoint', {
      body: { ...checkpoint, rootHash: log.root().toString('base64') },
    });
    expect((await run()).json()).toMatchObject({ code: 'LOG_NOT_SOUND' });
    expect((await verify()).json()).toMatchObject({ outcome: 'ALTERED' });
  });

  it('is written if it contradicts what this machine has seen of it', async () => {
    const { log, platform, folder, export: run, verify } = await setUp();
    expect((await run()).code).toBe(0);
    await rm(folder, { recursive: true });
    const other = forkOf(log, 200);
    other.addAudit(500);
    serveLog(platform, other, [log.key]);
    const refused = await run();
    expect(refused).toMatchObject({ code: 3 });
    expect(refused.json()).toMatchObject({
      code: 'LOG_CONTRADICTS',
      details: { next: expect.stringContaining(`keep ${folder}, which has the log`) as unknown },
    });
    expect((await verify()).json()).toMatchObject({ outcome: 'CONTRADICTS', size: 700 });
    const before = await readFile(join(folder, 'checkpoint'), 'utf8');
    // A folder that has the evidence is an earlier export, and stays.
    serveLog(platform, log);
    expect(await run()).toMatchObject({ code: 3 });
    expect(await readFile(join(folder, 'checkpoint'), 'utf8')).toBe(before);
  });

  it('is written if it contradicts, and is not sound in itself either', async () => {
    const { log, platform, folder, export: run, verify } = await setUp();
    expect((await run()).code).toBe(0);
    await rm(folder, { recursive: true });
    const other = forkOf(log, 200);
    other.addAudit(500);
    edit(other, 300);
    serveLog(platform, other, [log.key]);
    expect((await run()).json()).toMatchObject({ code: 'LOG_CONTRADICTS', exitCode: 3 });
    expect((await verify()).json()).toMatchObject({ outcome: 'ALTERED', index: 300 });
  });

  it('is written as far as the platform shows it if entries are missing', async () => {
    const { log, platform, export: run, verify } = await setUp();
    platform.answer('GET /v1/audit-log/entries', (request) => {
      const page = pageFrom(log, queryOf(request)) as { entries: { index: number }[] };
      return { body: { entries: page.entries.filter(({ index }) => index !== 580) } };
    });
    expect((await run()).json()).toMatchObject({ code: 'LOG_NOT_SOUND', details: { index: 580 } });
    expect((await verify()).json()).toMatchObject({ outcome: 'ALTERED' });
  });

  it('is found by --recheck in what the folder has, and leaves the folder as it was', async () => {
    const { log, export: run, verify } = await setUp();
    expect((await run()).code).toBe(0);
    edit(log, 300);
    log.addAudit(300);
    const before = (await verify()).json();
    const rechecked = await run('--recheck');
    expect(rechecked).toMatchObject({ code: 1 });
    expect(rechecked.json()).toMatchObject({
      ...{ code: 'LOG_NOT_SOUND', details: { index: 300 } },
      message: expect.stringContaining('are not those that the entry commits to') as unknown,
    });
    expect((await verify()).json()).toMatchObject(before);
  });

  it('is not called so by --recheck if the platform shows all as it was sealed', async () => {
    const { log, export: run, verify } = await setUp();
    expect((await run()).code).toBe(0);
    log.addAudit(300);
    expect((await run('--recheck')).json()).toMatchObject({ size: 901, fetched: 901 });
    expect((await verify()).json()).toMatchObject({ outcome: 'SOUND', size: 901 });
  });
});
