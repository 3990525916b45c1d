import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SealedLog } from '@plat/testing';
import { besideGit } from '../black-box/beside-git';
import { LandingStand } from '../black-box/landing-stand';
import { forkOf, serveLog } from '../black-box/served-log';
import { DriveStateFile } from '../drive/drive-state';

interface Pushed {
  commitId: string;
  upToDate: boolean;
  checkpoint: { ref: string; commitId: string; size: number; upToDate: boolean };
}

describe('plat exec push --record-checkpoint', () => {
  const stands: LandingStand[] = [];
  afterAll(() => Promise.all(stands.map(({ signedIn }) => signedIn.dispose())));

  async function setUp() {
    const stand = await LandingStand.create();
    stands.push(stand);
    const { checkout, log, signedIn } = stand;
    const ref = `refs/plat/checkpoints/${log.tenantId}`;
    /** Pushes a new commit of main. */
    const push = async (env: Record<string, string> = {}, ...flags: string[]) => {
      const commitId = await checkout.commit({ file: `${Math.random()}` }, 'Merge');
      const args = ['exec', 'push', '--json', '--record-checkpoint', '--commit-id', commitId, ...flags];
      const run = await signedIn.machine.plat(args, { cwd: checkout.folder, env });
      return { ...run, commitId };
    };
    const onOrigin = (revision: string) =>
      checkout.git('--git-dir', checkout.origin, 'rev-parse', '--verify', revision);
    const readHeld = async () =>
      `${await checkout.git('--git-dir', checkout.origin, 'show', `${ref}:checkpoint`)}\n`;
    /** A commit that holds a note, as another recording makes it. */
    const commitOf = async (note: string, ...parent: string[]) => {
      await checkout.git('fetch', '--quiet', 'origin');
      await checkout.git('switch', '--quiet', '--orphan', 'held');
      if (parent[0]) await checkout.git('reset', '--quiet', '--soft', parent[0]);
      const commit = await checkout.commit({ checkpoint: note }, 'Checkpoint');
      await checkout.git('switch', '--quiet', 'main');
      await checkout.git('branch', '--quiet', '-D', 'held');
      return commit;
    };
    return { stand, checkout, log, ref, push, onOrigin, held: readHeld, commitOf, machine: signedIn.machine };
  }

  it('goes on from a recording that comes first', async () => {
    const { log, ref, push, onOrigin, commitOf, machine, checkout } = await setUp();
    const other = await commitOf(log.checkpoint());
    log.addAudit(3);
    const variables = await besideGit(
      machine,
      'commit-tree',
      `git -C '${checkout.folder}' push --quiet origin ${other}:${ref}`,
    );
    const { code, json } = await push(variables);
    expect({ code, checkpoint: json<Pushed>().checkpoint }).toMatchObject({
      code: 0,
      checkpoint: { size: 4, upToDate: false },
    });
    expect(await onOrigin(`${ref}^`)).toBe(other);
  });

  it('names the ref that a restored log contradicts, and goes on once a person has moved it away', async () => {
    const { stand, log, ref, push, onOrigin, machine, checkout } = await setUp();
    log.addAudit(10);
    await push();
    const before = await onOrigin(ref);
    const restored = forkOf(log, 5);
    serveLog(stand.signedIn.platform, restored, [log.key]);
    await rm(`${machine.configFolder}/checkpoints`, { recursive: true });
    const refused = (await push()).json<{ message: string; details: { next: string } }>();
    expect(refused.message).toContain(`${ref} of origin holds 11 entries`);
    expect(refused.message).not.toContain('this client has verified');
    const move = /git (push --atomic [^;]+)/.exec(refused.details.next)![1]!;
    await checkout.git(...move.split(' '));
    expect((await push()).json<Pushed>().checkpoint).toMatchObject({ ref, size: 5, upToDate: false });
    const former = ref.replace('/checkpoints/', '/former-checkpoints/');
    expect(await onOrigin(`${former}/${before.slice(0, 12)}`)).toBe(before);
  });

  it('names the keys of a checkpoint in the ref that the log does not record, and what was pushed before', async () => {
    const { log, push, checkout, commitOf, ref, machine } = await setUp();
    const stranger = new SealedLog(log.origin);
    const held = await commitOf(log.checkpoint({ keys: [stranger.key] }));
    await checkout.git('push', '--quiet', 'origin', `${held}:${ref}`);
    const refused = await push({}, '--log-key', log.verifierKey());
    const idOf = (text: string) => text.split('+').slice(0, 2).join('+');
    expect(refused.json()).toMatchObject({
      code: 'CHECKPOINT_REF_DAMAGED',
      message:
        `main was pushed and is at ${refused.commitId}, but the checkpoint was not recorded: ` +
        `${ref} of origin holds no checkpoint that counts: it bears a signature by ` +
        `${idOf(stranger.verifierKey())}, and none by ${idOf(log.verifierKey())}.`,
    });
    const again = ['exec', 'push', '--json', '--record-checkpoint', '--commit-id', refused.commitId];
    expect((await machine.plat(again, { cwd: checkout.folder })).json()).toMatchObject({
      message: expect.stringContaining(`main had ${refused.commitId} already, but the checkpoint was not`),
    });
  });

  it('is a flag of plat drive, too, which records after the merge is reported', async () => {
    const { stand, checkout, log, ref, onOrigin, machine } = await setUp();
    const { platform } = stand.signedIn;
    const [reviewId, buildId] = [randomUUID(), randomUUID()];
    const mergeCommit = await checkout.git('rev-parse', 'main');
    await new DriveStateFile(join(checkout.folder, '.git', 'plat'), 'main').write({
      apiUrl: platform.url,
      review: { reviewId, name: 'Add limits', sourceBranch: 'topic' },
      merge: { targetCommit: mergeCommit, mergeCommit },
      ...{ verdict: { successful: true }, buildId, pushed: true },
    });
    platform.answer(`GET /v1/reviews/${reviewId}`, {
      body: {
        reviewId,
        name: 'Add limits',
        targetBranch: 'main',
        status: 'MERGED',
        lastMergedBuildId: buildId,
      },
    });
    const flags = ['--record-checkpoint', '--log-key', log.verifierKey()];
    const run = await machine.plat(['drive', '--once', '--json', ...flags], { cwd: checkout.folder });
    expect(run.json()).toMatchObject({ reviews: [{ outcome: 'MERGED', checkpoint: { ref, size: 1 } }] });
    expect(await onOrigin(ref)).toBe(run.json<{ reviews: Pushed[] }>().reviews[0]!.checkpoint.commitId);
  });
});
