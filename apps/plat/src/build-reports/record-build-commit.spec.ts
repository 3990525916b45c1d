import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bodiesOf, BUILDS, ID, RecordedBuilds, SOURCE } from '../black-box/recorded-builds';

describe('plat review record-build, of the checked-out commit', () => {
  const made = new RecordedBuilds();
  afterAll(() => made.remove());

  it("records the tip of the source branch, and prints the review's status afterwards", async () => {
    const { checkout, sourceCommit, record, recorded } = await made.setUp();
    await checkout.git('switch', '--quiet', SOURCE);
    const run = await record('--version=1.0.0');
    expect(run.json()).toMatchObject({
      commitId: sourceCommit,
      reviewStatus: 'READY',
      queuePosition: 2,
      queueLength: 2,
    });
    expect(recorded()).toEqual([sourceCommit]);
  });

  it('uses a snapshot of the checkout’s VERSION as the version', async () => {
    const { checkout, platform, record } = await made.setUp();
    await checkout.git('switch', '--quiet', SOURCE);
    expect((await record()).json()).toMatchObject({ code: 'VERSION_REQUIRED' });
    await checkout.commit({ VERSION: '1.4.0\n' }, 'Version');
    await checkout.git('push', '--quiet', 'origin', SOURCE);
    expect((await record()).code).toBe(0);
    expect(platform.to(BUILDS)[0]?.body?.version).toMatch(/^1\.4\.0-snapshot-\d{14}$/);
  });

  it('refuses a checkout with changed files or an unfinished merge, and takes files that the build has made', async () => {
    const { checkout, sourceCommit, record, recorded } = await made.setUp();
    await checkout.git('switch', '--quiet', SOURCE);
    await writeFile(join(checkout.folder, 'README.md'), 'changed\n');
    for (const more of [[], ['--failed'], ['--dry-run']]) {
      const dirty = await record('--version=1.0.0', ...more);
      expect({ exit: dirty.code, ...dirty.json() }).toMatchObject({
        exit: 1,
        code: 'DIRTY_TREE',
        details: { files: ['README.md'] },
      });
    }
    await checkout.git('checkout', '--quiet', '--', '.');
    await checkout.branch('other', { 'other.txt': 'other\n' });
    await checkout.git('switch', '--quiet', SOURCE);
    await checkout.git('merge', '--quiet', '--no-commit', '--no-ff', 'other');
    expect((await record('--version=1.0.0')).json()).toMatchObject({ code: 'UNFINISHED_OPERATION' });
    expect(recorded()).toEqual([]);
    await checkout.git('merge', '--abort');
    await writeFile(join(checkout.folder, 'made-by-the-build.o'), '');
    expect((await record('--version=1.0.0')).code).toBe(0);
    expect(recorded()).toEqual([sourceCommit]);
  });

  it('refuses any other commit, unless --commit-id names it', async () => {
    const { checkout, record, recorded } = await made.setUp();
    const onMain = await checkout.git('rev-parse', 'HEAD');
    const refused = await record('--version=1.0.0');
    expect({ exit: refused.code, ...refused.json() }).toMatchObject({ exit: 1, code: 'NOT_THE_SOURCE' });
    await checkout.git('switch', '--quiet', SOURCE);
    await checkout.commit({ a: 'a\n' }, 'Not pushed');
    for (const more of [[], ['--dry-run']]) {
      expect((await record('--version=1.0.0', ...more)).json()).toMatchObject({
        code: 'NOT_THE_SOURCE',
        details: {
          next: expect.stringContaining(`git push origin HEAD:refs/heads/${SOURCE}`) as unknown,
        },
      });
    }
    expect(recorded()).toEqual([]);
    expect((await record('--version=1.0.0', `--commit-id=${onMain}`)).code).toBe(0);
    expect(recorded()).toEqual([onMain]);
  });

  it('refuses a checkout of another repository', async () => {
    const { platform, record } = await made.setUp();
    const repository = 'https://git.example.com/acme/other';
    platform.answer(`GET /v1/reviews/${ID}`, { body: { repository, sourceBranch: SOURCE, status: 'OPEN' } });
    expect((await record('--version=1.0.0')).json()).toMatchObject({ code: 'OTHER_REPOSITORY' });
  });

  describe('with --gate', () => {
    it('records a merge whose gate has passed in this checkout, which push then pushes', async () => {
      const { platform, gate, record, push, mergeCommit } = await made.mergeSource();
      expect((await push()).json()).toMatchObject({ code: 'NOT_GATED' });
      expect((await record('--gate')).json()).toMatchObject({ code: 'NOT_GATED' });
      expect(bodiesOf(platform)).toEqual([]);
      expect(await gate(0)).toBe(0);
      expect((await record('--gate')).json()).toMatchObject({ kind: 'GATE', commitId: mergeCommit });
      expect(bodiesOf(platform)).toEqual([{ kind: 'GATE', successful: true, commitId: mergeCommit }]);
      expect((await push()).json()).toMatchObject({ commitId: mergeCommit, upToDate: false });
    });

    it('never takes the platform at its word for the commit that has passed', async () => {
      const { platform, record, push, sourceCommit, mergeCommit } = await made.mergeSource();
      platform.answer(BUILDS, ({ body }) => ({ body: { ...body, reviewId: ID, commitId: mergeCommit } }));
      const recorded = await record('--gate', '--vouch', '--commit-id', sourceCommit);
      expect(recorded.json()).toMatchObject({ code: 'ANSWER_CONTRADICTS', details: { field: 'commitId' } });
      expect((await push()).json()).toMatchObject({ code: 'NOT_GATED', details: { commitId: mergeCommit } });
    });

    it('with --vouch records a gate that ran elsewhere, and says so', async () => {
      const { platform, record, push, mergeCommit } = await made.mergeSource();
      expect((await record('--gate', '--vouch')).code).toBe(0);
      expect(bodiesOf(platform)).toEqual([
        { kind: 'GATE', successful: true, commitId: mergeCommit, vouched: true },
      ]);
      expect((await push()).json()).toMatchObject({ commitId: mergeCommit, upToDate: false });
    });
  });

  it('with --gate refuses a commit that is no merge of the source', async () => {
    const { checkout, sourceCommit, record, merge, recorded } = await made.setUp();
    const refusal = async (...more: string[]) =>
      (await record('--gate', ...more)).json<{ code: string; message: string }>();
    expect((await refusal()).message).toContain(`no gate in this checkout took ${SOURCE}`);
    await merge();
    await checkout.git('switch', '--quiet', SOURCE);
    expect((await refusal()).message).toContain('it does not stand on main as the gate fetched it');
    await checkout.git('switch', '--quiet', 'main');
    await checkout.git('rm', '--quiet', 'limits.txt');
    await checkout.commit({ 'other.txt': 'x\n' }, 'Undo the limits');
    expect((await refusal()).message).toContain(`it does not have everything of ${SOURCE}`);
    await checkout.git('switch', '--quiet', SOURCE);
    await checkout.commit({ b: 'b\n' }, 'More');
    await checkout.git('push', '--quiet', 'origin', SOURCE);
    expect((await refusal()).message).toContain('has moved on origin since the gate took');
    expect(await refusal()).toMatchObject({ code: 'NOT_THE_MERGE' });
    expect(recorded()).toEqual([]);
    expect((await record('--gate', '--vouch', `--commit-id=${sourceCommit}`)).code).toBe(0);
  });

  it('with --gate --failed records the source’s own tip, because a merge that conflicts has no commit', async () => {
    const { checkout, sourceCommit, record, recorded } = await made.setUp();
    await checkout.git('switch', '--quiet', SOURCE);
    expect((await record('--gate', '--failed', '--failure-detail', 'conflicts')).code).toBe(0);
    expect(recorded()).toEqual([sourceCommit]);
  });
});
