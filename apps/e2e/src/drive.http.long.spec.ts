import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Checkout, DriveStand, waitForExit } from './drive-stand';

jest.setTimeout(120_000);

interface Driven {
  reviewId: string;
  outcome: string;
  mergeCommit?: string;
  detail?: string;
}

const DRIVE = ['drive', '--target-branch', 'main', '--gate-command'];
const GATE = 'echo checking; test ! -e FAIL';

describe('plat drive', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  const drive = (checkout: Checkout, gate = GATE, ...more: string[]) =>
    checkout.plat([...DRIVE, gate, ...more]);
  const review = (checkout: Checkout, id: string) =>
    checkout.json<{ status: string; lastFailedBuildId?: string }>(['review', 'show', id]);
  const gateRuns = async (checkout: Checkout, id: string) =>
    (await checkout.json<{ gateRuns: { verdict: string }[] }>(['gate', 'list', '--review', id])).gateRuns;
  const gateBuilds = async (checkout: Checkout, id: string) =>
    (
      await checkout.json<{ kind: string; failureDetail?: string }[]>([
        'api',
        'GET',
        `/v1/reviews/${id}/builds`,
      ])
    ).filter(({ kind }) => kind === 'GATE');
  const originMain = async (checkout: Checkout) =>
    (await checkout.git('ls-remote', 'origin', 'refs/heads/main')).split('\t')[0];

  it.each([
    ['advance', /^POST .*\/advance$/],
    ['gate-run', /^POST .*\/gate-runs$/],
    ['record-build', /^POST .*\/builds$/],
    ['the look at the review', /^GET .*\/reviews\/[0-9a-f-]{36}$/],
    ['report-merged', /^PATCH .*\/status$/],
  ])('killed with -9 at %s, it goes on there and does no step twice', async (name, route) => {
    const checkout = await stand.repository(`killed-${name.replaceAll(' ', '-')}`);
    const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    const child = checkout.start([...DRIVE, GATE]);
    stand.proxy.insteadOfAnswer(route, () => child.kill('SIGKILL'));
    expect((await waitForExit(child)).code).toBeNull();
    const run = await drive(checkout);
    expect(JSON.parse(run.stdout)).toMatchObject({ reviews: [{ reviewId, outcome: 'MERGED' }] });
    expect((await review(checkout, reviewId)).status).toBe('MERGED');
    expect(await gateRuns(checkout, reviewId)).toHaveLength(1);
    expect(await gateBuilds(checkout, reviewId)).toHaveLength(1);
    await checkout.git('fetch', '--quiet', 'origin');
    expect(await checkout.git('rev-list', '--count', 'origin/main')).toBe('2');
  });

  it.each(['checkout', 'push'])('killed with -9 by git in the %s, it goes on there', async (where) => {
    const checkout = await stand.repository(`killed-in-${where}`);
    const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n', 'new.txt': 'new\n' });
    const kill = 'read pid; kill -9 "$pid"';
    const drop = await (where === 'push' ? checkout.hook('post-receive', kill) : checkout.filter(kill));
    const child = checkout.start([...DRIVE, GATE]);
    await drop.input(`${child.pid}\n`);
    expect((await waitForExit(child)).code).toBeNull();
    await drop.remove();
    const run = await drive(checkout);
    expect(JSON.parse(run.stdout)).toMatchObject({ reviews: [{ reviewId, outcome: 'MERGED' }] });
    await checkout.git('fetch', '--quiet', 'origin');
    expect(await checkout.git('rev-list', '--count', 'origin/main')).toBe('2');
    expect(await checkout.git('status', '--porcelain')).toBe('');
    expect(await gateBuilds(checkout, reviewId)).toHaveLength(1);
  });

  it('killed with -9 in the merge of a review that was closed since, it drives the next, and minds no change in the checkout', async () => {
    const checkout = await stand.repository('killed-and-closed');
    const closed = await checkout.propose('feature/1-closed', { 'README.md': 'closed\n' });
    const next = await checkout.propose('feature/2-next', { 'next.txt': 'next\n' });
    const drop = await checkout.filter('read pid; kill -9 "$pid"');
    const child = checkout.start([...DRIVE, GATE]);
    await drop.input(`${child.pid}\n`);
    expect((await waitForExit(child)).code).toBeNull();
    await drop.remove();
    await checkout.json(['review', 'requeue', closed]);
    await checkout.json(['review', 'close', closed]);
    await writeFile(join(checkout.folder, 'README.md'), 'written since\n');
    const run = await drive(checkout);
    expect(JSON.parse(run.stdout)).toMatchObject({
      reviews: [
        { reviewId: closed, outcome: 'ABANDONED' },
        { reviewId: next, outcome: 'MERGED' },
      ],
    });
    expect(await readFile(join(checkout.folder, 'README.md'), 'utf8')).toBe('written since\n');
    expect(await checkout.git('stash', 'list')).toBe('');
  });

  it('goes on with the next review after a gate that left files where the target has its own', async () => {
    const checkout = await stand.repository('leavings');
    await checkout.commit({ 'app.out': 'theirs\n' }, 'Output');
    await checkout.git('push', '--quiet', 'origin', 'main');
    await rm(join(checkout.folder, 'app.out'));
    const built = await checkout.propose('feature/1-built', { '.gitignore': '*.out\n' });
    const good = await checkout.propose('feature/2-good', { 'README.md': 'good\n' });
    const run = await drive(checkout, 'test ! -e .gitignore || { echo built > app.out; exit 1; }');
    expect(JSON.parse(run.stdout)).toMatchObject({
      reviews: [
        { reviewId: built, outcome: 'FAILED' },
        { reviewId: good, outcome: 'MERGED' },
      ],
    });
    const [, folder = ''] = /They are moved to (\S+): app\.out\./.exec(run.stderr) ?? [];
    expect(await readFile(join(folder, 'app.out'), 'utf8')).toBe('built\n');
    expect(await readFile(join(checkout.worktree, 'app.out'), 'utf8')).toBe('theirs\n');
  });

  it('fails a review for a submodule commit that is nowhere, and takes out the submodule that the next drops', async () => {
    const library = await stand.repository('library');
    const checkout = await stand.repository('with-library');
    await checkout.git('submodule', '--quiet', 'add', library.remote, 'library');
    await checkout.commit({}, 'Library');
    await checkout.git('push', '--quiet', 'origin', 'main');
    const other = await stand.anotherCheckout(checkout, 'other-library');
    await other.git('submodule', '--quiet', 'update', '--init');
    const person = ['-C', 'library', '-c', 'user.name=P', '-c', 'user.email=p@x'];
    await other.git(...person, 'commit', '--quiet', '--allow-empty', '-m', 'Lost');
    const lost = await other.propose('feature/1-lost', {});
    await other.git('submodule', '--quiet', 'update');
    await other.git('rm', '--quiet', 'library');
    const drop = await other.propose('feature/2-drop', {});
    const { reviews } = JSON.parse((await drive(checkout)).stdout) as { reviews: Driven[] };
    expect(reviews).toMatchObject([
      { reviewId: lost, outcome: 'FAILED', detail: expect.stringContaining('submodule library') as unknown },
      { reviewId: drop, outcome: 'MERGED' },
    ]);
    expect(await checkout.git('-C', checkout.worktree, 'status', '--porcelain', '--ignored')).toBe('');
    expect(existsSync(join(checkout.worktree, 'library'))).toBe(false);
    expect(existsSync(join(checkout.folder, 'library/README.md'))).toBe(true);
  });

  it('stopped by Ctrl-C in the gate, it ends the gate, gives its claim back, and gates the same merge again', async () => {
    const checkout = await stand.repository('stopped');
    await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    const child = checkout.start([...DRIVE, 'echo waiting; exec sleep 60']);
    const run = waitForExit(child);
    for await (const chunk of child.stderr!) if (String(chunk).includes('waiting')) break;
    const merge = await checkout.git('-C', checkout.worktree, 'rev-parse', 'HEAD');
    const blocked = await drive(checkout);
    expect(JSON.parse(blocked.stdout)).toMatchObject({ code: 'CLAIMED', exitCode: 1 });
    child.kill('SIGINT');
    await once(child, 'close').catch(() => undefined);
    expect(JSON.parse((await run).stdout)).toMatchObject({ code: 'INTERRUPTED' });
    expect(JSON.parse((await drive(checkout)).stdout)).toMatchObject({
      reviews: [{ outcome: 'MERGED', mergeCommit: merge }],
    });
  });

  it('refuses a state file that is torn, touching nothing, and gates again once it is gone', async () => {
    const checkout = await stand.repository('torn');
    const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    const file = createHash('sha256').update('main').digest('hex').slice(0, 32);
    const path = join(await checkout.git('rev-parse', '--absolute-git-dir'), 'plat/drive', `${file}.json`);
    await mkdir(dirname(path), { recursive: true });
    const [head, main] = [await checkout.git('rev-parse', 'HEAD'), await originMain(checkout)];
    for (const text of ['', '{"review":', '[]', 'null', '{"apiUrl":"x"}']) {
      await writeFile(path, text);
      const run = await drive(checkout);
      expect(JSON.parse(run.stdout)).toMatchObject({
        code: 'DRIVE_STATE_UNREADABLE',
        details: { path, next: expect.stringContaining(`rm ${path}`) as unknown },
        exitCode: 1,
      });
      expect(await readFile(path, 'utf8')).toBe(text);
    }
    expect(await checkout.git('rev-parse', 'HEAD')).toBe(head);
    expect(await checkout.git('status', '--porcelain')).toBe('');
    expect(await originMain(checkout)).toBe(main);
    expect(await gateRuns(checkout, reviewId)).toEqual([]);
    await rm(path);
    expect(JSON.parse((await drive(checkout)).stdout)).toMatchObject({
      reviews: [{ reviewId, outcome: 'MERGED' }],
    });
  });
});
