import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SealedLog, writeLogFiles } from '@plat/testing';
import { forkOf, serveLog } from '../black-box/served-log';
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

  function withhold(log: SealedLog, index: number): void {
    log.entries[index] = { leaf: log.entries[index]!.leaf };
  }

  it.each<[string, (log: SealedLog, folder: string) => Promise<unknown>, number | undefined]>([
    ['a word', (_log, folder) => changeWord(folder), 0],
    ['whole bundles', (log, folder) => writeLogFiles(folder, otherBundles(log)), undefined],
  ])('leaves a folder in which %s was changed as it is', async (_what, change, index) => {
    const { log, folder, export: run, verify } = await setUp();
    expect((await run()).code).toBe(0);
    await change(log, folder);
    const before = (await verify()).json();
    expect(before).toMatchObject({ outcome: 'ALTERED' });
    log.addAudit(300);
    const exported = await run();
    expect(exported.json()).toMatchObject({ code: 'EXPORT_ALTERED', exitCode: 1 });
    if (index !== undefined) expect(exported.json()).toMatchObject({ details: { index } });
    expect((await verify()).json()).toMatchObject(before);
  });

  it.each<[string, (log: SealedLog) => unknown, string, number]>([
    ['a new entry', (log) => edit(log, log.size - 1), 'LOG_NOT_SOUND', 2000],
    ['an entry of the last bundle', (log) => edit(log, 550), 'LOG_NOT_SOUND', 550],
    ['withheld fields', (log) => withhold(log, log.size - 1), 'ERASURE_NOT_SEALED', 2000],
  ])('leaves the export that the folder has as it was: %s', async (_what, change, code, index) => {
    const { log, export: run, verify } = await setUp();
    expect((await run()).code).toBe(0);
    const before = (await verify()).json();
    log.addAudit(1400);
    const sound = log.entries.at(-1)!;
    change(log);
    expect((await run()).json()).toMatchObject({ code, details: { index } });
    expect((await verify()).json()).toMatchObject(before);
    log.entries.splice(-1, 1, sound);
    if (index < 2000) return;
    expect((await run()).json()).toMatchObject({ size: 2001, fetched: 2001 - 512 });
    expect((await verify()).json()).toMatchObject({ outcome: 'SOUND', size: 2001 });
  });

  it.each<[string, string[], number]>([
    ['by --recheck', ['--recheck'], 300],
    ['in a log that has not grown', [], 590],
    ['by --recheck in a log that has not grown', ['--recheck'], 590],
  ])('takes no fields away that the folder has, if they are withheld: %s', async (_what, flags, index) => {
    const { log, folder, export: run, verify } = await setUp();
    expect((await run()).code).toBe(0);
    const disclosed = () =>
      Promise.all(
        ['000', '001', '002.p/89'].map((name) => readFile(join(folder, 'disclosed', name), 'utf8')),
      );
    const before = await disclosed();
    withhold(log, index);
    const exported = (await run(...flags)).json();
    if (flags.length > 0) expect(exported).toMatchObject({ code: 'ERASURE_NOT_SEALED', details: { index } });
    expect(await disclosed()).toEqual(before);
    expect((await verify()).json()).toMatchObject({ outcome: 'SOUND' });
  });

  it('keeps what the folder shows of a bundle that is fetched once more', async () => {
    const { log, folder, export: run, verify } = await setUp();
    const [shown, other] = [log.entries[300]!, log.entries[310]!];
    withhold(log, 300);
    expect((await run()).json()).toMatchObject({ code: 'ERASURE_NOT_SEALED' });
    log.entries[300] = shown;
    withhold(log, 310);
    expect((await run()).json()).toMatchObject({ size: 601 });
    expect(await readFile(join(folder, 'disclosed', '001'), 'utf8')).toContain(other.shown!.fields);
    expect((await verify()).json()).toMatchObject({ outcome: 'SOUND', size: 601 });
  });
});

async function changeWord(folder: string): Promise<void> {
  const path = join(folder, 'disclosed', '000');
  await writeFile(path, (await readFile(path, 'utf8')).replace('Ed25519', 'Ed25518'));
}

/** Files of other entries under the checkpoint of the log: each bundle fits its tile. */
function otherBundles(log: SealedLog) {
  const other = forkOf(log, 5);
  other.addAudit(log.size - 5);
  return other.files().set('checkpoint', Buffer.from(log.checkpoint()));
}
