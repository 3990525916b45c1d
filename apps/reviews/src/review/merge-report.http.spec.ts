import { buildsService } from '@plat/builds';
import { releasesService } from '@plat/releases';
import {
  GitRemote,
  ReviewScene,
  serveGit,
  startTestService,
  type TestAnswer,
  type TestService,
} from '@plat/testing';
import { randomUUID } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reviewsService } from '../service';

let service: TestService;
const cleanups: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  service = await startTestService(reviewsService, buildsService, releasesService);
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
afterAll(() => service.stop());

/** A real repository with a first commit on `main`, how it is read, and a scene of reviews onto its `main`. */
interface Bundle {
  git: GitRemote;
  base: string;
  remoteUrl: string;
  scene: ReviewScene;
}

async function repository(served: 'http' | 'file' = 'file'): Promise<Bundle> {
  const git = await GitRemote.create();
  cleanups.push(() => git.remove());
  const base = await git.commit({ 'README.md': 'a line\n' });
  let remoteUrl = git.fileUrl;
  if (served === 'http') {
    const server = await serveGit(git.projectRoot);
    cleanups.push(() => server.close());
    remoteUrl = `${server.origin}/repo/.git`;
  }
  return { git, base, remoteUrl, scene: new ReviewScene(service, remoteUrl, 'main') };
}

/** The same repository with a target branch that no other case uses: rows that record no repository share one. */
async function onOwnTarget(bundle: Bundle): Promise<Bundle> {
  const targetBranch = `target/${randomUUID()}`;
  await bundle.git.switch(targetBranch, 'main');
  return { ...bundle, scene: new ReviewScene(service, bundle.remoteUrl, targetBranch) };
}

/** A commit on the target, as the promoted environment pushes it. */
const push = ({ git }: Bundle): Promise<string> => git.commit({ [`${randomUUID()}.txt`]: 'merged\n' });

/** A review at MERGE whose merge commit is on `main` and reported by a successful GATE build. */
async function gated(bundle: Bundle): Promise<{ id: string; commitId: string; buildId: string }> {
  const id = await bundle.scene.green();
  const commitId = await push(bundle);
  return { id, commitId, buildId: await bundle.scene.build(id, { kind: 'GATE', commitId }) };
}

/** A whole merge through the queue; its commit becomes the anchor of the next. */
async function merged(bundle: Bundle): Promise<{ id: string; commitId: string; buildId: string }> {
  const merge = await gated(bundle);
  const { status } = await report(bundle, merge.id, merge.buildId);
  expect(status).toBe(200);
  return merge;
}

function report({ scene, remoteUrl }: Bundle, id: string, buildId?: string): Promise<TestAnswer> {
  return scene.patch(id, { status: 'MERGED', remoteUrl, buildId });
}

/** Everything that a report could change, byte for byte. */
async function state(): Promise<unknown> {
  return service.database.query(
    `SELECT (SELECT string_agg(r::text, ';' ORDER BY r.review_id) FROM reviews.reviews r) AS reviews,
            (SELECT string_agg(v::text, ';' ORDER BY v.review_id) FROM reviews.verifications v) AS verifications,
            (SELECT string_agg(q::text, ';' ORDER BY q::text) FROM reviews.queues q) AS queues,
            (SELECT string_agg(e::text, ';' ORDER BY e.release_id) FROM releases.releases e) AS releases`,
  );
}

/** The answer to a report that must leave everything as it was. */
async function refused(send: () => Promise<TestAnswer>): Promise<unknown> {
  const before = await state();
  const { status, body } = await send();
  expect(await state()).toEqual(before);
  return { status, code: body.code as unknown, reason: body.details?.reason as unknown };
}

const notVerified = (reason: string): unknown => ({ status: 409, code: 'MERGE_NOT_VERIFIED', reason });

const verificationOf = (id: string): Promise<Record<string, unknown>[]> =>
  service.database.query(
    `SELECT route, repository, target_branch, target_tip, commit_id, anchor_commit_id, source_tip, build_id, release_error
       FROM reviews.verifications WHERE review_id = $1`,
    [id],
  );

const releasesOf = async (id: string): Promise<Record<string, unknown>[]> =>
  (await service.send('alice', `GET /v1/reviews/${id}/releases`)).body as Record<string, unknown>[];

describe('PATCH /v1/reviews/{review_id}/status, MERGED on a review at MERGE', () => {
  describe('200', () => {
    it.each(['http', 'file'] as const)(
      'the commit of the GATE build is reachable from the target tip, read over %s',
      async (served) => {
        const bundle = await repository(served);
        const { id, commitId, buildId } = await gated(bundle);
        const answer = await report(bundle, id, buildId);
        expect(answer).toMatchObject({ status: 200, body: { status: 'MERGED', lastMergedBuildId: buildId } });
        expect(answer.body).toEqual(await bundle.scene.review(id));
        expect(await verificationOf(id)).toEqual([
          {
            route: 'queue',
            repository: answer.body.repository as unknown,
            target_branch: 'main',
            target_tip: commitId,
            commit_id: commitId,
            anchor_commit_id: null,
            source_tip: null,
            build_id: buildId,
            release_error: null,
          },
        ]);
      },
    );

    it('a release is enqueued for the merge commit, exactly once', async () => {
      const bundle = await repository();
      const { id, commitId, buildId } = await gated(bundle);
      await Promise.all([
        report(bundle, id, buildId),
        report(bundle, id, buildId),
        report(bundle, id, buildId),
      ]);
      expect(await releasesOf(id)).toMatchObject([
        { commitId, targetBranch: 'main', status: 'queued', attempt: 1 },
      ]);
    });

    it('unrelated commits landing directly on the branch in between are tolerated', async () => {
      const bundle = await repository();
      const first = await merged(bundle);
      await push(bundle);
      const second = await gated(bundle);
      const tip = await push(bundle);
      expect((await report(bundle, second.id, second.buildId)).status).toBe(200);
      expect(await verificationOf(second.id)).toMatchObject([
        { target_tip: tip, anchor_commit_id: first.commitId },
      ]);
    });

    it('a commit that equals the gated tip is its own ancestor', async () => {
      const bundle = await repository();
      const { commitId } = await merged(bundle);
      const id = await bundle.scene.green();
      const buildId = await bundle.scene.build(id, { kind: 'GATE', commitId });
      expect((await report(bundle, id, buildId)).status).toBe(200);
    });

    it('the repository is the same one in any of its forms', async () => {
      const bundle = await repository('http');
      const { id, buildId } = await gated(bundle);
      const remoteUrl = bundle.remoteUrl.replace('http://', 'HTTP://somebody:secret@');
      const answer = await bundle.scene.patch(id, { status: 'MERGED', buildId, remoteUrl });
      expect(answer.status).toBe(200);
      const [row] = await service.database.query<{ remote_url: string }>(
        'SELECT remote_url FROM reviews.verifications WHERE review_id = $1',
        [id],
      );
      expect(row!.remote_url).not.toContain('secret');
    });

    it('frees the slot; the next is promoted by advance only', async () => {
      const bundle = await repository();
      const { id, buildId } = await gated(bundle);
      const next = await bundle.scene.green();
      await report(bundle, id, buildId);
      expect(await bundle.scene.status(next)).toBe('READY');
      expect((await bundle.scene.advance()).body.reviewId).toBe(next);
    });

    it('a MERGED review keeps its name and gives up its pair', async () => {
      const bundle = await repository();
      const { id, buildId } = await gated(bundle);
      await report(bundle, id, buildId);
      const { name, sourceBranch } = await bundle.scene.review(id);
      expect((await bundle.scene.propose({ name })).status).toBe(409);
      expect((await bundle.scene.propose({ sourceBranch })).status).toBe(201);
    });

    it('if the enqueue of the release fails, the review stays MERGED, and POST /v1/releases recovers', async () => {
      const bundle = await repository();
      const { id, commitId, buildId } = await gated(bundle);
      const constraint = `ALTER TABLE releases.releases`;
      await service.database.query(`${constraint} ADD CONSTRAINT fault CHECK (commit_id <> '${commitId}')`);
      const answer = await report(bundle, id, buildId);
      await service.database.query(`${constraint} DROP CONSTRAINT fault`);
      expect(answer).toMatchObject({ status: 200, body: { status: 'MERGED' } });
      expect(await releasesOf(id)).toEqual([]);
      expect(await verificationOf(id)).toMatchObject([
        { release_error: expect.stringContaining('fault') as unknown },
      ]);
      const body = { reviewId: id, targetBranch: 'main', commitId };
      expect((await service.send('alice', 'POST /v1/releases', body)).status).toBe(201);
    });
  });

  describe('200, adoption', () => {
    it('a review with no repository adopts the one that the remoteUrl of the accepted report names', async () => {
      const bundle = await onOwnTarget(await repository());
      const scene = new ReviewScene(service, null, bundle.scene.targetBranch);
      const id = await scene.green();
      const commitId = await push(bundle);
      const buildId = await scene.build(id, { kind: 'GATE', commitId });
      const answer = await report({ ...bundle, scene }, id, buildId);
      const named = await bundle.scene.review(await bundle.scene.open());
      expect(answer.body).toMatchObject({ status: 'MERGED', repository: named.repository });
    });

    it('it is verified against the anchor of that repository', async () => {
      const bundle = await onOwnTarget(await repository());
      const { commitId: anchor } = await merged(bundle);
      const scene = new ReviewScene(service, null, bundle.scene.targetBranch);
      const id = await scene.green();
      const buildId = await scene.build(id, { kind: 'GATE', commitId: await push(bundle) });
      expect((await report({ ...bundle, scene }, id, buildId)).status).toBe(200);
      expect(await verificationOf(id)).toMatchObject([{ anchor_commit_id: anchor }]);
    });
  });

  describe('409 MERGE_NOT_VERIFIED, and nothing changes', () => {
    it.each(['http', 'file'] as const)('the commit was never pushed, over %s', async (served) => {
      const bundle = await repository(served);
      const id = await bundle.scene.green();
      const buildId = await bundle.scene.build(id, { kind: 'GATE', commitId: 'b'.repeat(40) });
      expect(await refused(() => report(bundle, id, buildId))).toEqual(notVerified('commit_not_on_target'));
    });

    it.each(['http', 'file'] as const)(
      'the commit is in the repository, on another branch, over %s',
      async (served) => {
        const bundle = await repository(served);
        const id = await bundle.scene.green();
        await bundle.git.switch('elsewhere', 'main');
        const commitId = await push(bundle);
        const buildId = await bundle.scene.build(id, { kind: 'GATE', commitId });
        expect(await refused(() => report(bundle, id, buildId))).toEqual(notVerified('commit_not_on_target'));
      },
    );

    it('a tag named like the target branch does not win', async () => {
      const bundle = await repository('http');
      const id = await bundle.scene.green();
      await bundle.git.switch('elsewhere', 'main');
      const commitId = await push(bundle);
      await bundle.git.git('tag', 'main', commitId);
      const buildId = await bundle.scene.build(id, { kind: 'GATE', commitId });
      expect(await refused(() => report(bundle, id, buildId))).toEqual(notVerified('commit_not_on_target'));
    });

    it('the remote has no such target branch', async () => {
      const bundle = await repository();
      const scene = new ReviewScene(service, bundle.remoteUrl, 'release');
      const id = await scene.green();
      const buildId = await scene.build(id, { kind: 'GATE', commitId: bundle.base });
      expect(await refused(() => report({ ...bundle, scene }, id, buildId))).toEqual(
        notVerified('branch_missing'),
      );
    });

    it("the build is another review's", async () => {
      const bundle = await repository();
      const { id, commitId } = await gated(bundle);
      const buildId = await bundle.scene.build(await bundle.scene.open(), { kind: 'GATE', commitId });
      expect(await refused(() => report(bundle, id, buildId))).toEqual(notVerified('build_not_acceptable'));
    });

    it('the build is not a GATE build', async () => {
      const bundle = await repository();
      const { id, commitId } = await gated(bundle);
      const buildId = await bundle.scene.build(id, { commitId });
      expect(await refused(() => report(bundle, id, buildId))).toEqual(notVerified('build_not_acceptable'));
    });

    it('the build failed', async () => {
      const bundle = await repository();
      const id = await bundle.scene.green();
      const commitId = await push(bundle);
      const buildId = await bundle.scene.build(id, { kind: 'GATE', successful: false, commitId });
      await bundle.scene.build(id);
      expect(await bundle.scene.status(id)).toBe('MERGE');
      expect(await refused(() => report(bundle, id, buildId))).toEqual(notVerified('build_not_acceptable'));
    });

    it('the remote is another repository, though the commit is on its target', async () => {
      const [bundle, other] = [await repository(), await repository()];
      const id = await bundle.scene.green();
      const commitId = await push(other);
      const buildId = await bundle.scene.build(id, { kind: 'GATE', commitId });
      const { remoteUrl } = other;
      expect(await refused(() => report({ ...bundle, remoteUrl }, id, buildId))).toEqual(
        notVerified('remote_mismatch'),
      );
    });

    it.each(['', 'acme/app', '../app', 'https://git.example'])(
      'the remote names no repository: %j',
      async (remoteUrl) => {
        const bundle = await repository();
        const { id, buildId } = await gated(bundle);
        expect(await refused(() => report({ ...bundle, remoteUrl }, id, buildId))).toEqual(
          notVerified('remote_mismatch'),
        );
      },
    );

    it('history never passed through the gated tip: a force-push lost the merge before', async () => {
      const bundle = await repository();
      await merged(bundle);
      await bundle.git.switch('main', bundle.base);
      const { id, buildId } = await gated(bundle);
      expect(await refused(() => report(bundle, id, buildId))).toEqual(notVerified('gated_tip_lost'));
    });

    it('the reported commit is on the target, but older than the gated tip', async () => {
      const bundle = await repository();
      await merged(bundle);
      const id = await bundle.scene.green();
      const buildId = await bundle.scene.build(id, { kind: 'GATE', commitId: bundle.base });
      expect(await refused(() => report(bundle, id, buildId))).toEqual(notVerified('gated_tip_lost'));
    });

    it('a remote that cannot be read is answered the same, whatever the cause', async () => {
      const bundle = await repository('http');
      const { id, buildId } = await gated(bundle);
      for (const cleanup of cleanups.splice(1)) await cleanup();
      const { body } = await report(bundle, id, buildId);
      expect(body).toMatchObject({ code: 'MERGE_NOT_VERIFIED', details: { reason: 'remote_unreadable' } });
      expect(body.message).toMatch(/^Could not be judged/);
      expect(body.message).not.toContain('127.0.0.1');
      expect(await bundle.scene.status(id)).toBe('MERGE');
    });

    it('the failing of a review while git is asked is never overwritten: the report is judged again', async () => {
      const bundle = await repository('http');
      let meanwhile: (() => Promise<unknown>) | undefined;
      const origin = await delayed(bundle.remoteUrl, async () => {
        const act = meanwhile;
        meanwhile = undefined;
        await act?.();
      });
      const behind = {
        ...bundle,
        remoteUrl: `${origin}/repo/.git`,
        scene: new ReviewScene(service, `${origin}/repo/.git`, 'main'),
      };
      const { id, buildId } = await gated(behind);
      meanwhile = () => behind.scene.build(id, { kind: 'GATE', successful: false });
      const { status, body } = await report(behind, id, buildId);
      expect({ status, reason: body.details.reason as unknown }).toEqual({
        status: 409,
        reason: 'branch_missing',
      });
      expect(await behind.scene.status(id)).toBe('FAILED');
      expect(await verificationOf(id)).toEqual([]);
    });
  });

  describe('409 CONFLICT', () => {
    it('adopting a repository where the name is taken changes nothing', async () => {
      const bundle = await onOwnTarget(await repository());
      const scene = new ReviewScene(service, null, bundle.scene.targetBranch);
      const name = randomUUID();
      await bundle.scene.open({ name });
      const id = await scene.green({ name });
      const buildId = await scene.build(id, { kind: 'GATE', commitId: await push(bundle) });
      expect(await refused(() => report({ ...bundle, scene }, id, buildId))).toMatchObject({
        status: 409,
        code: 'CONFLICT',
      });
    });
  });
});

describe('PATCH /v1/reviews/{review_id}/status, MERGED on a review at OPEN, READY or FAILED', () => {
  /** A review of a branch with a change of its own; the branch is checked out. */
  async function proposed(bundle: Bundle): Promise<{ id: string; sourceBranch: string; tip: string }> {
    const sourceBranch = `topic/${randomUUID()}`;
    await bundle.git.switch(sourceBranch, 'main');
    const tip = await bundle.git.commit({ 'feature.txt': `${randomUUID()}\n` });
    return { id: await bundle.scene.open({ sourceBranch }), sourceBranch, tip };
  }

  describe('200', () => {
    it.each(['http', 'file'] as const)(
      'the source tip is in the history of the target: a fast-forward, over %s',
      async (served) => {
        const bundle = await repository(served);
        const { id, sourceBranch, tip } = await proposed(bundle);
        await bundle.git.switch('main');
        await bundle.git.git('merge', '--quiet', '--ff-only', sourceBranch);
        const answer = await report(bundle, id);
        expect(answer).toMatchObject({ status: 200, body: { status: 'MERGED' } });
        expect(await verificationOf(id)).toMatchObject([
          { route: 'reconciled', target_tip: tip, source_tip: tip, commit_id: null, build_id: null },
        ]);
      },
    );

    it('a branch that sits exactly on the target tip has landed', async () => {
      const bundle = await repository();
      const sourceBranch = `topic/${randomUUID()}`;
      await bundle.git.git('branch', sourceBranch, 'main');
      const id = await bundle.scene.open({ sourceBranch });
      expect((await report(bundle, id)).status).toBe(200);
    });

    it('everything that the source adds is in a squash commit of the target', async () => {
      const bundle = await repository();
      const { id, sourceBranch } = await proposed(bundle);
      await bundle.git.switch('main');
      await bundle.git.commit({ 'other.txt': 'x\n' });
      await bundle.git.squash(sourceBranch);
      expect((await report(bundle, id)).status).toBe(200);
    });

    it('no lastMergedBuildId is recorded, no release is triggered, and a buildId that is sent is ignored', async () => {
      const bundle = await repository();
      const { id, sourceBranch } = await proposed(bundle);
      await bundle.git.switch('main');
      await bundle.git.merge(sourceBranch);
      const { status, body } = await report(bundle, id, randomUUID());
      expect(status).toBe(200);
      expect(body).not.toHaveProperty('lastMergedBuildId');
      expect(await releasesOf(id)).toEqual([]);
    });

    it.each(['READY', 'FAILED'] as const)('a review at %s leaves its queue', async (status) => {
      const bundle = await repository();
      const { id, sourceBranch } = await proposed(bundle);
      await bundle.scene.comment(id);
      await bundle.scene.build(id, { successful: status === 'READY' });
      expect(await bundle.scene.status(id)).toBe(status);
      await bundle.git.switch('main');
      await bundle.git.merge(sourceBranch);
      expect((await report(bundle, id)).body.status).toBe('MERGED');
      expect(await bundle.scene.line()).not.toContain(id);
    });

    it('a review with no repository adopts the one that the remoteUrl names', async () => {
      const bundle = await repository();
      const { sourceBranch } = await proposed(bundle);
      const scene = new ReviewScene(service, null, 'main');
      const id = await scene.open({ sourceBranch });
      await bundle.git.switch('main');
      await bundle.git.merge(sourceBranch);
      const { body } = await report(bundle, id);
      expect(body).toMatchObject({
        status: 'MERGED',
        repository: expect.stringContaining('file://') as unknown,
      });
    });

    it('a reconciled merge does not change the anchor of later promotions', async () => {
      const bundle = await repository();
      const { commitId: anchor } = await merged(bundle);
      const { id, sourceBranch } = await proposed(bundle);
      await bundle.git.switch('main');
      await bundle.git.merge(sourceBranch);
      await report(bundle, id);
      const next = await gated(bundle);
      expect((await report(bundle, next.id, next.buildId)).status).toBe(200);
      expect(await verificationOf(next.id)).toMatchObject([{ anchor_commit_id: anchor }]);
    });
  });

  describe('409 MERGE_NOT_VERIFIED, and nothing changes', () => {
    it('no target commit carries the change set', async () => {
      const bundle = await repository();
      const { id } = await proposed(bundle);
      expect(await refused(() => report(bundle, id))).toEqual(notVerified('not_landed'));
    });

    it('the branch has unrelated history', async () => {
      const bundle = await repository();
      const sourceBranch = `topic/${randomUUID()}`;
      await bundle.git.orphan(sourceBranch);
      await bundle.git.commit({ 'feature.txt': 'x\n' });
      const id = await bundle.scene.open({ sourceBranch });
      expect(await refused(() => report(bundle, id))).toEqual(notVerified('unrelated_history'));
    });

    it('the source branch is gone', async () => {
      const bundle = await repository();
      const id = await bundle.scene.open();
      expect(await refused(() => report(bundle, id))).toEqual(notVerified('branch_missing'));
    });

    it('the remote is another repository', async () => {
      const [bundle, other] = [await repository(), await repository()];
      const { id } = await proposed(bundle);
      const { remoteUrl } = other;
      expect(await refused(() => report({ ...bundle, remoteUrl }, id))).toEqual(
        notVerified('remote_mismatch'),
      );
    });
  });

  describe('409 CONFLICT', () => {
    it('adopting a repository where the name is taken changes nothing', async () => {
      const bundle = await repository();
      const { sourceBranch } = await proposed(bundle);
      const id = await new ReviewScene(service, null, 'main').open({ sourceBranch });
      await bundle.git.switch('main');
      await bundle.git.merge(sourceBranch);
      // A MERGED review holds no pair, so only a name can collide.
      await service.database.query(
        `UPDATE reviews.reviews SET name = (SELECT name FROM reviews.reviews WHERE review_id = $1)
          WHERE source_branch = $2 AND review_id <> $1`,
        [id, sourceBranch],
      );
      expect(await refused(() => report(bundle, id))).toMatchObject({ status: 409, code: 'CONFLICT' });
    });
  });
});

/** A server before another one, which lets something happen before it passes a request on. Its origin. */
async function delayed(url: string, before: () => Promise<unknown>): Promise<string> {
  const server = createServer((incoming, response) => {
    void before().then(() => {
      const { method, headers } = incoming;
      const onward = request(new URL(incoming.url!, url), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(onward);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
