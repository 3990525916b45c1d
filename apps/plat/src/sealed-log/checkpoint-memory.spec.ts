import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '@plat/api-client';
import { parseVerifierKey } from '@plat/ledger';
import { SealedLog } from '@plat/testing';
import { PlatformDouble } from '../black-box/platform-double';
import { forkOf, serveLog } from '../black-box/served-log';
import { checkConsistent, readRememberedCheckpoint } from './checkpoint-memory';
import { verifyCheckpoint } from './signed-checkpoint';

const PROOF = 'GET /v1/audit-log/consistency-proof';

describe("the client's memory of a sealed log", () => {
  const disposals: (() => Promise<unknown>)[] = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp() {
    const log = new SealedLog();
    log.addAudit(8);
    const folder = await mkdtemp(join(tmpdir(), 'plat-memory-'));
    const platform = await PlatformDouble.start();
    disposals.push(
      () => rm(folder, { recursive: true }),
      () => platform.close(),
    );
    serveLog(platform, log);
    const api = new ApiClient({ baseUrl: platform.url, tokens: { current: () => 'access-1' } });
    return {
      folder,
      log,
      platform,
      size: async () => (await readRememberedCheckpoint(folder, log.origin))?.size,
      see: (size: number, shown = log) => {
        const note = shown.checkpoint({ size, keys: [log.key] });
        return checkConsistent(folder, api, verifyCheckpoint(note, [parseVerifierKey(log.verifierKey())]));
      },
    };
  }

  it('keeps the first checkpoint without a question, where only its owner reads it', async () => {
    const { folder, platform, see, size } = await setUp();
    expect(await see(5)).toBeUndefined();
    expect(await size()).toBe(5);
    expect(platform.to(PROOF)).toEqual([]);
    const [file] = await readdir(join(folder, 'checkpoints'));
    expect((await stat(join(folder, 'checkpoints', file!))).mode & 0o777).toBe(0o600);
  });

  it('demands a proof of every other size, and remembers the larger one', async () => {
    const { platform, see, size } = await setUp();
    await see(3);
    expect(await see(7)).toMatchObject({ size: 3 });
    expect(await size()).toBe(7);
    expect(await see(5)).toMatchObject({ size: 7 });
    expect(await see(7)).toMatchObject({ size: 7 });
    expect(await size()).toBe(7);
    expect(platform.to(PROOF).map(({ url }) => url.split('?')[1])).toEqual(['from=3&to=7', 'from=5&to=7']);
  });

  it.each([3, 7, 9])('refuses %i entries of another view, and goes on remembering its own', async (size) => {
    const { folder, log, see } = await setUp();
    await see(7);
    const other = forkOf(log, 2);
    other.addAudit(7);
    const failure = await see(size, other).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'LOG_CONTRADICTS', exitCode: 3 });
    expect(failure).toMatchObject({
      details: {
        remembered: log.checkpoint({ size: 7 }),
        shown: other.checkpoint({ size, keys: [log.key] }),
      },
    });
    expect((await readRememberedCheckpoint(folder, log.origin))?.note).toBe(log.checkpoint({ size: 7 }));
  });

  it('refuses a log that was put back to an earlier state', async () => {
    const { log, see, size } = await setUp();
    await see(9);
    log.entries.length = 6;
    await expect(see(6)).rejects.toMatchObject({ code: 'LOG_CONTRADICTS' });
    expect(await size()).toBe(9);
  });

  it('does not take a silent platform for a contradiction', async () => {
    const { platform, see, size } = await setUp();
    await see(3);
    platform.answer(PROOF, { status: 503, body: { code: 'SERVICE_UNAVAILABLE', message: 'Not now.' } });
    await expect(see(7)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await size()).toBe(3);
  });

  it('ends with the largest of many at once', async () => {
    const { see, size } = await setUp();
    await Promise.all([4, 8, 2, 6, 9, 1].map((count) => see(count)));
    expect(await size()).toBe(9);
  });

  it('refuses to forget by a damaged file', async () => {
    const { folder, see } = await setUp();
    await see(3);
    const [file] = await readdir(join(folder, 'checkpoints'));
    const path = join(folder, 'checkpoints', file!);
    await writeFile(path, (await readFile(path, 'utf8')).slice(0, 40));
    await expect(see(7)).rejects.toMatchObject({ code: 'CHECKPOINT_MEMORY_DAMAGED' });
  });
});
