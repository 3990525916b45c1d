import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LogFiles, SealedLog, writeLogFiles } from '@plat/testing';
import { ended } from '../black-box/plat-process';
import { forkOf, pageFrom, queryOf, serveLog } from '../black-box/served-log';
import { signedInMachine } from '../black-box/signed-in';

const ENTRIES = 'GET /v1/audit-log/entries';
const KEYS = 'GET /v1/audit-log/keys';

describe('the commands of the sealed log', () => {
  const disposals: (() => Promise<unknown>)[] = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp(audited = 600) {
    const bundle = await signedInMachine();
    disposals.push(bundle.dispose);
    const log = new SealedLog();
    log.addAudit(audited);
    serveLog(bundle.platform, log);
    const { machine, platform } = bundle;
    const folder = join(machine.home, 'trail');
    const put = async (files: LogFiles) => {
      await rm(folder, { recursive: true, force: true });
      await writeLogFiles(folder, files);
    };
    const key = ['--key', log.verifierKey()];
    return {
      ...bundle,
      log,
      folder,
      put,
      export: (...flags: string[]) => machine.plat(['audit', 'export', folder, ...flags, '--json']),
      verify: (...flags: string[]) => machine.plat(['audit', 'verify', folder, ...key, ...flags, '--json']),
      asked: () => platform.to(ENTRIES).map((request) => queryOf(request).from),
    };
  }

  it('go on with an export that was killed, which is no export until then', async () => {
    const { machine, folder, log, platform, export: run, verify, asked } = await setUp(1500);
    const reached = new Promise<void>((resolve) => {
      platform.answer(ENTRIES, (request) => {
        if (queryOf(request).from === '1024') {
          resolve();
          return { delayMilliseconds: 60_000, body: {} };
        }
        return { body: pageFrom(log, queryOf(request)) };
      });
    });
    const child = await machine.start(['audit', 'export', folder]);
    await reached;
    const countWritten = async () => (await readdir(join(folder, 'disclosed')).catch(() => [])).length;
    // A bundle is whole on the disk before the killed request's turn comes, or it is fetched again.
    for (let look = 0; look < 100 && (await countWritten()) < 1; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill('SIGKILL');
    await ended(child);
    expect((await verify()).json()).toMatchObject({ code: 'EXPORT_UNFINISHED', exitCode: 1 });
    serveLog(platform, log);
    expect((await run()).json()).toMatchObject({ size: 1501 });
    expect(asked().length).toBeGreaterThan(2);
    expect((await verify()).json()).toMatchObject({ outcome: 'SOUND' });
  });

  it('take a known checkpoint of a former key, which the log records, and no fork that this key signs', async () => {
    const { log, machine, put, verify } = await setUp(20);
    const former = log.key;
    const known = join(machine.home, 'known');
    await writeFile(known, log.checkpoint());
    const fork = forkOf(log, log.size);
    fork.addAudit(9);
    const rotated = log.addKey();
    log.addAudit(5);
    const pinned = (...flags: string[]) =>
      machine.plat([
        ...['audit', 'verify', join(machine.home, 'trail'), '--json', '--key', log.verifierKey(rotated)],
        ...['--known', known, ...flags],
      ]);
    await put(log.files({ keys: [rotated] }));
    expect((await pinned()).json()).toMatchObject({ outcome: 'SOUND', signedBy: [log.verifierKey(rotated)] });
    await put(fork.files({ keys: [former] }));
    const leaked = await pinned();
    expect(leaked).toMatchObject({ code: 1 });
    expect(leaked.json()).toMatchObject({ outcome: 'ALTERED' });
    // A fork that the leaked key has signed is evidence, and not another opinion of equal weight.
    await writeFile(known, fork.checkpoint({ keys: [former] }));
    await put(log.files({ keys: [rotated] }));
    expect(await pinned()).toMatchObject({ code: 3 });
    expect((await verify('--known', known)).json()).toMatchObject({ outcome: 'ALTERED' });
  });

  it('do not export into a folder with other files, of another log, or without a parent', async () => {
    const { machine, folder, log, export: run } = await setUp(5);
    await mkdir(folder);
    await writeFile(join(folder, 'letter'), 'x');
    expect((await run()).json()).toMatchObject({ code: 'FOLDER_NOT_AN_EXPORT' });
    await rm(folder, { recursive: true });
    await writeLogFiles(folder, new SealedLog().files());
    expect((await run()).json()).toMatchObject({
      code: 'FOLDER_OF_ANOTHER_LOG',
      details: { log: log.origin },
    });
    const typo = await machine.plat(['audit', 'export', join(machine.home, 'no', 'trail'), '--json']);
    expect(typo.json()).toMatchObject({
      code: 'FOLDER_NOT_USABLE',
      message: `${join(machine.home, 'no', 'trail')} cannot be the folder of an export: there is no folder ${join(machine.home, 'no')}.`,
    });
  });

  it('do not export a log that another key has signed, or whose entries are other ones', async () => {
    const { log, platform, export: run } = await setUp(50);
    const stranger = new SealedLog(log.origin);
    expect((await run('--key', stranger.verifierKey())).json()).toMatchObject({
      code: 'CHECKPOINT_NOT_SIGNED',
    });
    const other = forkOf(log, 20);
    other.addAudit(31);
    platform.answer(ENTRIES, (request) => ({ body: pageFrom(other, queryOf(request)) }));
    expect((await run()).json()).toMatchObject({ code: 'LOG_NOT_SOUND', exitCode: 1 });
    platform.answer(KEYS, {
      body: { origin: log.origin, keys: [{ verifierKey: 'x', publicKey: 'y', signs: true }] },
    });
    expect((await run()).json()).toMatchObject({ code: 'KEY_NOT_READABLE' });
  });
});
