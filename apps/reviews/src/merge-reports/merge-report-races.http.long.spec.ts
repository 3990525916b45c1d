import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildsService } from '@plat/builds';
import { releasesService } from '@plat/releases';
import { MergeScene, notVerified, ReviewScene, startTestService, type TestService } from '@plat/testing';
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

/** Runs before a reading of the repository reaches the repository's server. `reading` counts from 1. */
type Meanwhile = (reading: number) => Promise<unknown>;

/** Merges at hand, more than the times that three judgements read the repository. */
const MERGES_MEANWHILE_MAX = 12;

/** A repository behind a proxy that first runs, at each reading, what was last given to `happens`. */
async function createWatchedScene(): Promise<{ bundle: MergeScene; happens(meanwhile: Meanwhile): void }> {
  const bundle = await MergeScene.create(service, 'http');
  cleanups.push(() => bundle.remove());
  let readings = 0;
  let meanwhile: Meanwhile = () => Promise.resolve();
  const happens = (given: Meanwhile) => {
    readings = 0;
    meanwhile = given;
  };
  const origin = await before(bundle.remoteUrl, async (url) => {
    if (url.includes('/info/refs')) await meanwhile((readings += 1));
  });
  const remoteUrl = `${origin}/repo/.git`;
  return { bundle: bundle.with({ remoteUrl, scene: new ReviewScene(service, remoteUrl, 'main') }), happens };
}

/** Starts a proxy that awaits `arrives` before it passes a request on. @returns its origin */
async function before(url: string, arrives: (url: string) => Promise<unknown>): Promise<string> {
  const server: Server = createServer((incoming, response) => {
    void arrives(incoming.url!).then(() => {
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

describe('a MERGED report is "applied by compare-and-set on what was read"', () => {
  it('a report whose review fails while git is asked is judged again, and the review stays FAILED', async () => {
    const { bundle, happens } = await createWatchedScene();
    const { id, buildId } = await bundle.openGated();
    happens(async (reading) => {
      if (reading === 1) await bundle.scene.build(id, { kind: 'GATE', successful: false });
    });
    const { status, body } = await bundle.report(id, buildId);
    // The second judgement is a reconciliation, which fails because the repository lacks the source branch.
    expect({ status, reason: body.details.reason as unknown }).toEqual({
      status: 409,
      reason: 'branch_missing',
    });
    expect(await bundle.scene.status(id)).toBe('FAILED');
    expect(await bundle.verificationOf(id)).toEqual([]);
  });

  it('a report whose anchor moves while git is asked is judged by the new anchor', async () => {
    const { bundle, happens } = await createWatchedScene();
    const unrecorded = bundle.unrecorded();
    const other = await bundle.mergeReview();
    // Its commit is on the target, next to a merge of the named repository that is not reported yet.
    const id = await unrecorded.scene.green();
    const buildId = await unrecorded.scene.build(id, { kind: 'GATE', commitId: other.commitId });
    const next = await bundle.openGated();
    happens(async (reading) => {
      if (reading === 1) expect((await bundle.report(next.id, next.buildId)).status).toBe(200);
    });
    const { status, body } = await unrecorded.report(id, buildId);
    expect({ status, reason: body.details?.reason as unknown }).toEqual({
      status: 409,
      reason: 'gated_tip_lost',
    });
    expect(await unrecorded.scene.status(id)).toBe('MERGE');
  });

  it('a report whose anchor keeps moving is answered 409 CONFLICT, "never applied blindly"', async () => {
    const { bundle: onMain, happens } = await createWatchedScene();
    const bundle = await onMain.onOwnTarget();
    const landed: string[] = [];
    for (let count = 0; count < MERGES_MEANWHILE_MAX; count++) landed.push(await bundle.push());
    const unrecorded = bundle.unrecorded();
    const id = await unrecorded.scene.green();
    const commitId = await bundle.push();
    const buildId = await unrecorded.scene.build(id, { kind: 'GATE', commitId });
    let merging = false;
    happens(async () => {
      // The merge reads the repository as well, which must not start another merge.
      if (merging) return;
      merging = true;
      const next = await bundle.scene.green();
      const gate = await bundle.scene.build(next, { kind: 'GATE', commitId: landed.shift()! });
      expect((await bundle.report(next, gate)).status).toBe(200);
      merging = false;
    });
    const { status, body } = await unrecorded.report(id, buildId);
    expect({ status, code: body.code as unknown }).toEqual({ status: 409, code: 'CONFLICT' });
    expect(await unrecorded.scene.status(id)).toBe('MERGE');
    expect(await bundle.verificationOf(id)).toEqual([]);
  }, 60_000);

  it('the report of a tenant is judged by the anchor of that tenant alone', async () => {
    const { bundle } = await createWatchedScene();
    await bundle.mergeReview();
    await bundle.git.switch('main', bundle.base);
    const theirs = await bundle.scene.propose({}, 'mallory');
    const { reviewId } = theirs.body as { reviewId: string };
    await bundle.scene.report(reviewId, {}, 'mallory');
    const commitId = await bundle.push();
    const { body } = await bundle.scene.report(reviewId, { kind: 'GATE', commitId }, 'mallory');
    const { remoteUrl } = bundle;
    const answer = await bundle.scene.patch(
      reviewId,
      { status: 'MERGED', remoteUrl, buildId: (body as { buildId: string }).buildId },
      'mallory',
    );
    expect(answer).toMatchObject({ status: 200, body: { status: 'MERGED' } });
    const mine = await bundle.openGated();
    expect(await bundle.expectRefusal(() => bundle.report(mine.id, mine.buildId))).toEqual(
      notVerified('gated_tip_lost'),
    );
  });
});
