import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { buildsService } from '@plat/builds';
import { releasesService } from '@plat/releases';
import {
  execFile,
  GitRemote,
  proveScope,
  ReviewScene,
  startTestService,
  type TestAnswer,
  type TestService,
} from '@plat/testing';
import { reviewsService } from '../service';

const root = join(__dirname, '../../../..');
const times = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));
const statusesOf = (answers: TestAnswer[]): number[] => answers.map(({ status }) => status).sort();

let service: TestService;
beforeAll(async () => {
  service = await startTestService(reviewsService, buildsService, releasesService);
});
afterAll(() => service.stop());

/** Resolves once a statement of this database waits for a lock. */
async function somebodyWaits(): Promise<void> {
  const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await service.database.query(waits)).length === 0) await setImmediate();
}

// After each race, all invariants of the database hold.
afterEach(async () => {
  const command = ['tools/build/run-ts.mjs', 'tools/db/invariants.ts'];
  const environment = { PATH: '/usr/bin:/bin', DATABASE_URL: service.database.ownerUrl };
  const run = promisify(execFile)(process.execPath, command, { cwd: root, env: environment });
  const { stdout } = await run.catch((failure: { stdout: string; stderr: string }) => failure);
  expect(stdout).not.toContain('BROKEN');
  expect(stdout).toMatch(/^(\d+) of \1 invariants hold/);
}, 30_000);

describe('requests that race', () => {
  it('of several advances at once exactly one promotes, and it promotes the head', async () => {
    await times(15, async () => {
      const scene = new ReviewScene(service);
      const first = await scene.openWaiting();
      await scene.openWaiting();
      const answers = await times(4, (index) =>
        index % 2 === 0 ? scene.advance() : scene.overrideAdvance(),
      );
      expect(statusesOf(answers)).toEqual([200, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 200)!.body.reviewId).toBe(first);
    });
  });

  it('of several first green builds at once exactly one continues to MERGE, and none fails', async () => {
    await times(8, async () => {
      const scene = new ReviewScene(service);
      const ids = await times(5, () => scene.open());
      const reports = await Promise.all(ids.map((id) => scene.report(id)));
      expect(statusesOf(reports)).toEqual([201, 201, 201, 201, 201]);
      expect((await Promise.all(ids.map((id) => scene.status(id)))).sort()).toEqual([
        'MERGE',
        'READY',
        'READY',
        'READY',
        'READY',
      ]);
    });
  });

  it('green builds that arrive while others advance keep the line first in, first out', async () => {
    const scene = new ReviewScene(service);
    const ids = await times(30, () => scene.open());
    const promoted: string[] = [];
    const promoteAndFail = async (): Promise<void> => {
      const { status, body } = await scene.advance();
      if (status !== 200) return;
      promoted.push(body.reviewId as string);
      await scene.build(body.reviewId as string, { kind: 'GATE', successful: false });
    };
    await Promise.all([...ids.map((id) => scene.build(id)), ...ids.map(promoteAndFail)]);
    const moves = await service.database.query<{ review_id: string; move: string }>(
      'SELECT review_id, move FROM reviews.queue_moves WHERE target_branch = $1 ORDER BY version',
      [scene.targetBranch],
    );
    const of = (name: string): string[] =>
      moves.filter(({ move }) => move === name).map(({ review_id }) => review_id);
    const [entered, left] = [of('ready'), of('promote')];
    expect(left).toEqual(entered.slice(0, left.length));
    expect(left).toEqual(expect.arrayContaining(promoted));
  });

  it('of several reviews created at once with one name, or one pair of branches, exactly one is accepted', async () => {
    await times(10, async (round) => {
      const scene = new ReviewScene(service, round % 2 === 0 ? null : undefined);
      const same = round % 4 < 2 ? { name: randomUUID() } : { sourceBranch: randomUUID() };
      expect(statusesOf(await times(4, () => scene.propose(same)))).toEqual([201, 409, 409, 409]);
    });
  });

  it('of several releases of one commit exactly one is created, and every answer names it', async () => {
    await times(10, async () => {
      const body = { targetBranch: 'main', commitId: randomBytes(20).toString('hex') };
      const answers = await times(5, () => service.send('alice', 'POST /v1/releases', body));
      expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 201]);
      expect(new Set(answers.map((answer) => answer.body.releaseId as string)).size).toBe(1);
    });
  });

  it('of several requests to queue a failed release again one counts as an attempt', async () => {
    const body = { targetBranch: 'main', commitId: randomBytes(20).toString('hex') };
    const { releaseId } = (await service.send('alice', 'POST /v1/releases', body)).body as {
      releaseId: string;
    };
    await service.database.query(
      "UPDATE releases.releases SET status = 'failed', failure_reason = 'x' WHERE release_id = $1",
      [releaseId],
    );
    const answers = await times(6, () => service.send('alice', 'POST /v1/releases', body));
    expect(answers.map((answer) => answer.body.attempt as number)).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it('a build that fails the head while it is promoted: the head ends FAILED, at most one is at MERGE', async () => {
    await times(15, async () => {
      const scene = new ReviewScene(service);
      const [first, second] = [await scene.openWaiting(), await scene.openWaiting()];
      const [advanced] = await Promise.all([scene.advance(), scene.build(first!, { successful: false })]);
      expect(advanced.status).toBe(200);
      expect(await scene.status(first!)).toBe('FAILED');
      expect(await scene.status(second!)).toBe(advanced.body.reviewId === second ? 'MERGE' : 'READY');
    });
  });

  it('an advance waits for a thread of the head that is being opened, sees it and refuses', async () => {
    const scene = new ReviewScene(service);
    const id = await scene.openWaiting();
    const opening = new Client(service.database.ownerUrl);
    await opening.connect();
    await opening.query('BEGIN');
    await opening.query(`SELECT reviews.hold_review(tenant, $2) FROM tenancy.enter_as($1, false) AS tenant`, [
      (await proveScope(service.database, 'alice')).proof,
      id,
    ]);
    await opening.query(
      `INSERT INTO reviews.comments (tenant_id, comment_id, review_id, creator_user_id, status, commit_id, file_path,
                                     line, body)
       SELECT tenant_id, gen_random_uuid(), review_id, author_user_id, 'OPEN', repeat('a', 40), 'a.ts', 1, 'why?'
         FROM reviews.reviews WHERE review_id = $1`,
      [id],
    );
    const advanced = scene.advance();
    await somebodyWaits();
    await opening.query('COMMIT');
    await opening.end();
    expect(await advanced).toMatchObject({
      status: 409,
      body: { error: 'unresolved_threads', reviewId: id },
    });
  });

  it('comments and advances at once: no promotion passes over a thread that was acknowledged before it', async () => {
    await times(15, async (round) => {
      const scene = new ReviewScene(service);
      const id = await scene.openWaiting();
      const comment = { commitId: 'a'.repeat(40), filePath: 'a.ts', line: 1, body: `why ${round}?` };
      const [opened, advanced] = await Promise.all([
        service.send('alice', `POST /v1/reviews/${id}/comments`, comment),
        scene.advance(),
      ]);
      expect(opened.status).toBe(201);
      const [promoted] = await service.database.query<{ late: boolean }>(
        `SELECT m.created_at > c.created_at AS late FROM reviews.comments c
           JOIN reviews.queue_moves m USING (tenant_id, review_id)
          WHERE c.review_id = $1 AND c.comment_id = $2 AND m.move = 'promote'`,
        [id, opened.body.commentId],
      );
      expect(promoted === undefined).toBe(advanced.status === 409);
      expect(promoted?.late ?? false).toBe(false);
    });
  });

  it('of a requeue and a MERGED report at once exactly one is accepted, which decides the status', async () => {
    const git = await GitRemote.create();
    const commitId = await git.commit({ 'a.txt': 'a\n' });
    await times(8, async (round) => {
      const targetBranch = `target/${round}`;
      await git.git('branch', targetBranch, commitId);
      const scene = new ReviewScene(service, git.fileUrl, targetBranch);
      const id = await scene.green();
      const buildId = await scene.build(id, { kind: 'GATE', commitId });
      const [report, requeue] = await Promise.all([
        scene.patch(id, { status: 'MERGED', buildId, remoteUrl: git.fileUrl }),
        // Sent at once, the requeue always wins, since the report waits for git. In odd rounds it is sent later.
        round % 2 === 0
          ? scene.patch(id, { status: 'READY' })
          : scene.status(id).then(() => scene.patch(id, { status: 'READY' })),
      ]);
      const accepted = report.status === 200;
      expect([report.status, requeue.status]).toEqual(accepted ? [200, 409] : [409, 200]);
      expect(await scene.status(id)).toBe(accepted ? 'MERGED' : 'READY');
    });
    await git.remove();
  });

  it('any moves at once on a few shared queues cause no server error', async () => {
    const target = `target/${randomUUID()}`;
    const scenes = [null, undefined, undefined].map(
      (repository) => new ReviewScene(service, repository, target),
    );
    const reviews = await times(12, async (index) => {
      const scene = scenes[index % scenes.length]!;
      return { scene, id: await scene.open() };
    });
    const codes = new Set<number>();
    await times(8, async (worker) => {
      for (let step = 0; step < 25; step++) {
        const { scene, id } = reviews[(worker * 7 + step * 5) % reviews.length]!;
        const moves = [
          () => scene.report(id),
          () => scene.report(id),
          () => scene.advance(),
          () => scene.advance({ repository: undefined }),
          () => scene.patch(id, { status: 'READY' }),
          () => scene.report(id, { kind: 'GATE', successful: step % 3 === 0 }),
        ];
        codes.add((await moves[(worker + step * step) % moves.length]!()).status);
      }
    });
    expect([...codes].filter((code) => code >= 500)).toEqual([]);
  });
});
