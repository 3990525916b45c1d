import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LogFiles, SealedLog, writeLogFiles } from '@plat/testing';
import { forkOf, queryOf, serveLog } from '../black-box/served-log';
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

  it('export what verify finds sound, and show both to a person', async () => {
    const { machine, folder, log, export: run, verify } = await setUp();
    log.erase([3, 4]);
    const exported = await run();
    expect(exported).toMatchObject({ code: 0 });
    expect(exported.json()).toMatchObject({ origin: log.origin, size: 602, fetched: 602 });
    const verified = await verify();
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.json()).toMatchObject({
      ...{ outcome: 'SOUND', size: 602, erased: 2, signedBy: [log.verifierKey()] },
    });
    const text = await machine.plat(['audit', 'verify', folder, '--key', log.verifierKey()]);
    expect(text.stdout).toMatch(/^outcome +SOUND\n/);
    expect(text.stdout).toMatch(/^erased +2$/m);
    expect((await machine.plat(['audit', 'export', folder])).stdout).toContain('has the 602 entries of');
  });

  it('fetch only what is new, and leave nothing of the size before', async () => {
    const { folder, log, platform, export: run, verify } = await setUp();
    await run();
    const before = platform.to(ENTRIES).length;
    log.addAudit(100);
    expect((await run()).json()).toMatchObject({ size: 701, fetched: 189 });
    expect(platform.to(ENTRIES).slice(before).map(queryOf)).toEqual([{ from: '512', limit: '189' }]);
    expect((await verify()).json()).toMatchObject({ outcome: 'SOUND', size: 701 });
    expect((await readdir(folder)).sort()).toEqual(['checkpoint', 'disclosed', 'tile']);
  });

  it.each<[string, (log: SealedLog) => LogFiles, number | undefined]>([
    [
      'edited',
      (log) => changed(log, (other) => other.entries.splice(7, 1, forked(log).entries.at(-1)!)),
      undefined,
    ],
    ['edited in one file', (log) => exchanged(log, 'tile/entries/000'), 0],
    ['deleted', (log) => changed(log, (other) => other.entries.splice(7, 1)), undefined],
    [
      'inserted',
      (log) => changed(log, (other) => other.entries.splice(7, 0, forked(log).entries.at(-1)!)),
      undefined,
    ],
    [
      'reordered',
      (log) => changed(log, (other) => other.entries.push(...other.entries.splice(7, 1))),
      undefined,
    ],
    ['truncated', (log) => log.files({ size: 300 }).set('checkpoint', Buffer.from(log.checkpoint())), 256],
    ['signed by another key', (log) => log.files({ keys: [new SealedLog().key] }), undefined],
    ['without a file', (log) => without(log, 'tile/1/000.p/2'), 0],
    ['with fields withheld', (log) => ((log.entries[9] = { leaf: log.entries[9]!.leaf }), log.files()), 9],
  ])('call a log ALTERED that was %s', async (_how, alter, index) => {
    const { log, put, verify } = await setUp();
    await put(alter(log));
    const run = await verify();
    expect(run).toMatchObject({ code: 1 });
    expect(run.json()).toMatchObject({
      outcome: 'ALTERED',
      reason: expect.stringMatching(/^The .*\.$|^Entry .*\.$/) as string,
    });
    if (index !== undefined) expect(run.json()).toMatchObject({ index });
  });

  it('say by which keys a log is signed, if it is by none that is given', async () => {
    const { log, machine, folder, put } = await setUp(3);
    await put(log.files());
    const readReason = async (given: SealedLog) =>
      (await machine.plat(['audit', 'verify', folder, '--key', given.verifierKey(), '--json'])).json().reason;
    const nameOf = (one: SealedLog) => one.verifierKey().split('+').slice(0, 2).join('+');
    for (const given of [new SealedLog(log.origin), new SealedLog()]) {
      expect(await readReason(given)).toContain(
        `a signature by ${nameOf(log)}, and none by ${nameOf(given)}.`,
      );
    }
  });

  it('say CONTRADICTS of an old export that was put back, and of another view', async () => {
    const { log, machine, put, verify } = await setUp(20);
    const known = join(machine.home, 'known');
    const old = log.files();
    const other = forkOf(log, 10);
    other.addAudit(30);
    log.addAudit(5);
    await writeFile(known, log.checkpoint());
    for (const files of [old, other.files({ keys: [log.key] })]) {
      await put(files);
      const run = await verify('--known', known);
      expect(run).toMatchObject({ code: 3 });
      expect(run.json()).toMatchObject({ outcome: 'CONTRADICTS' });
    }
    await put(log.files());
    expect(await verify('--known', known)).toMatchObject({ code: 0 });
  });

  it('verify an export by what this client has seen of the log, with exit code 3 and without a network', async () => {
    const { log, platform, put, export: run, verify } = await setUp(20);
    await run();
    const asked = platform.requests.length;
    const other = forkOf(log, 10);
    other.addAudit(30);
    await put(other.files({ keys: [log.key] }));
    const contradicting = await verify();
    expect(contradicting).toMatchObject({ code: 3 });
    expect(contradicting.json()).toMatchObject({
      outcome: 'CONTRADICTS',
      reason: expect.stringContaining('this client has seen 21 entries'),
    });
    await put(log.files({ size: 15 }));
    const older = await verify();
    expect(older).toMatchObject({ code: 0 });
    expect(older.json()).toMatchObject({ outcome: 'SOUND', size: 15, seenSize: 21 });
    expect(older.stderr).toContain('it has 15 entries of 21, and what came after is not in it');
    expect(platform.requests).toHaveLength(asked);
  });

  it('verify an export on a machine that has no folder for its configuration', async () => {
    const { log, machine, folder, put } = await setUp(5);
    await put(log.files());
    const env = { HOME: '/dev/null', XDG_CONFIG_HOME: '/dev/null' };
    const args = ['audit', 'verify', folder, '--key', log.verifierKey(), '--json'];
    const { code, json, stderr } = await machine.plat(args, { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(json()).toMatchObject({ outcome: 'SOUND' });
  });

  it('refuse a known checkpoint that neither a given key nor one of the log has signed', async () => {
    const { log, machine, put, verify } = await setUp(5);
    const known = join(machine.home, 'known');
    await writeFile(known, log.checkpoint({ keys: [new SealedLog().key] }));
    await put(log.files());
    expect((await verify('--known', known)).json()).toMatchObject({
      code: 'KNOWN_NOT_SIGNED',
      message: expect.stringContaining(
        'counts if a given key or one that the log records has signed it: it bears a signature by ',
      ),
      exitCode: 1,
    });
  });

  it('refuse wrong keys, known checkpoints and folders, each with its code', async () => {
    const { machine, folder, log, put, verify } = await setUp(5);
    const key = log.verifierKey();
    const refusal = async (...args: string[]) => {
      const run = await machine.plat(['audit', 'verify', ...args, '--json']);
      expect(run.code).toBe(1);
      // A log that was not judged has a code and no outcome, because both end with 1.
      expect(run.json()).not.toHaveProperty('outcome');
      return run.json().code;
    };
    expect(await refusal(folder, '--key', key)).toBe('NO_SUCH_FOLDER');
    expect(await refusal(machine.home, '--key', key)).toBe('NOT_AN_EXPORT');
    await put(log.files());
    expect(await refusal(folder, '--key', 'log.kee')).toBe('KEY_NOT_READABLE');
    expect(await refusal(folder, '--key', key.replace('+', '+0'))).toBe('KEY_NOT_READABLE');
    const text = await machine.plat(['audit', 'verify', folder, '--key', 'a+b']);
    expect(text.stderr).toBe(
      'error KEY_NOT_READABLE: "a+b" is no key of a log: it has another form.\n' +
        'next: give the text <origin>+<8 digits>+<base64> that the platform has published, or a file with it\n',
    );
    const known = join(machine.home, 'known');
    const asKnown = async (text: string) => (
      await writeFile(known, text),
      (await verify('--known', known)).json().code
    );
    expect((await verify('--known', 'nix')).json()).toMatchObject({
      ...{ code: 'KNOWN_NOT_READABLE', message: 'There is no file nix.' },
    });
    expect(await asKnown('nothing')).toBe('KNOWN_NOT_READABLE');
    expect(await asKnown(new SealedLog().checkpoint())).toBe('KNOWN_OF_ANOTHER_LOG');
    await writeFile(known, `${key}\n`);
    expect((await machine.plat(['audit', 'verify', folder, '--key', known])).code).toBe(0);
    expect((await machine.plat(['audit', 'verify', folder])).stderr).toContain('flag key');
  });

  it.each([[], ['--key']])('say that nothing is sealed yet, with the flags %j', async (...flags) => {
    const { log, platform, export: run } = await setUp(5);
    const none = { status: 404, body: { code: 'NOT_FOUND', message: 'Nothing is sealed yet.' } };
    platform.answer(KEYS, none);
    platform.answer('GET /v1/audit-log/checkpoint', none);
    const refused = await run(...flags.flatMap((flag) => [flag, log.verifierKey()]));
    expect(refused.json()).toMatchObject({
      code: 'NOTHING_SEALED',
      details: { next: 'repeat the command in a minute' },
    });
  });

  it('name the keys that have signed a log, and those that should have', async () => {
    const { log, put, verify } = await setUp(5);
    const stranger = new SealedLog(log.origin);
    await put(log.files({ keys: [stranger.key] }));
    const idOf = (text: string) => text.split('+').slice(0, 2).join('+');
    expect((await verify()).json()).toMatchObject({
      outcome: 'ALTERED',
      reason:
        `The checkpoint does not count: it bears a signature by ${idOf(stranger.verifierKey())}, ` +
        `and none by ${idOf(log.verifierKey())}.`,
    });
  });

  it('remember what was exported, and refuse another view of it with exit code 3', async () => {
    const { folder, log, platform, export: run } = await setUp(20);
    await run();
    await rm(folder, { recursive: true });
    const other = forkOf(log, 10);
    other.addAudit(30);
    serveLog(platform, other, [log.key]);
    const refused = await run();
    expect(refused).toMatchObject({ code: 3 });
    expect(refused.json()).toMatchObject({ code: 'LOG_CONTRADICTS', exitCode: 3 });
  });

  it('do not end with fields withheld that no sealed entry explains', async () => {
    const { log, export: run, verify } = await setUp(20);
    log.entries[4] = { leaf: log.entries[4]!.leaf };
    expect((await run()).json()).toMatchObject({ code: 'ERASURE_NOT_SEALED', details: { index: 4 } });
    expect((await verify()).json()).toMatchObject({ outcome: 'ALTERED', index: 4 });
    log.erase([4]);
    expect((await run()).code).toBe(0);
    expect((await verify()).json()).toMatchObject({ outcome: 'SOUND' });
  });
});

function forked(log: SealedLog): SealedLog {
  const fork = forkOf(log, 0);
  fork.addAudit();
  return fork;
}

/** Files that follow from other entries, under the checkpoint of the log. */
function changed(log: SealedLog, change: (other: SealedLog) => void): LogFiles {
  const other = forkOf(log, log.size);
  change(other);
  return other.files().set('checkpoint', Buffer.from(log.checkpoint()));
}

/** A bit of the first entry is another one in one file alone. */
function exchanged(log: SealedLog, path: string): LogFiles {
  const files = log.files();
  const content = Buffer.from(files.get(path)!);
  content[9]! ^= 1;
  return files.set(path, content);
}

function without(log: SealedLog, path: string): LogFiles {
  const files = log.files();
  if (!files.delete(path)) throw new Error(`The log has no file ${path}.`);
  return files;
}
