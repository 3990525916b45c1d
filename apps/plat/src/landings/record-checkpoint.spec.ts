import { rm } from 'node:fs/promises';
import { SealedLog } from '@plat/testing';
import { LandingStand } from '../black-box/landing-stand';
import { forkOf, serveLog } from '../black-box/served-log';

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

  it('keeps each checkpoint in a commit on the one before, and none twice', async () => {
    const { log, ref, push, onOrigin, held, checkout } = await setUp();
    const first = await push();
    expect(first.json<Pushed>()).toMatchObject({
      commitId: first.commitId,
      upToDate: false,
      checkpoint: { ref, size: 1, upToDate: false, origin: log.origin },
    });
    expect(await held()).toBe(log.checkpoint());
    const begun = await onOrigin(ref);
    log.addAudit(300);
    const second = (await push()).json<Pushed>();
    expect(second.checkpoint).toMatchObject({ size: 301, upToDate: false, commitId: await onOrigin(ref) });
    expect(await onOrigin(`${ref}^`)).toBe(begun);
    expect(await checkout.git('--git-dir', checkout.origin, 'ls-tree', '--name-only', ref)).toBe(
      'checkpoint',
    );
    const third = (await push()).json<Pushed>();
    expect(third.checkpoint).toEqual({ ...second.checkpoint, upToDate: true });
    expect(await onOrigin('main')).toBe(third.commitId);
  });

  it('says that the merge was pushed if the log contradicts the ref, which stays, with exit code 3', async () => {
    const { stand, log, ref, push, onOrigin, machine } = await setUp();
    log.addAudit(10);
    expect((await push()).code).toBe(0);
    const before = await onOrigin(ref);
    // As a machine that remembers nothing, and is shown another log.
    const fork = forkOf(log, 5);
    fork.addAudit(20);
    serveLog(stand.signedIn.platform, fork, [log.key]);
    await rm(`${machine.configFolder}/checkpoints`, { recursive: true });
    const { code, commitId, json } = await push();
    expect(code).toBe(3);
    expect(json()).toMatchObject({
      code: 'LOG_CONTRADICTS',
      message: expect.stringContaining(
        `main was pushed and is at ${commitId}, but the checkpoint was not recorded`,
      ),
      details: { pushed: { commitId } },
    });
    expect(await onOrigin('main')).toBe(commitId);
    expect(await onOrigin(ref)).toBe(before);
  });

  it('fails after the push without a log, or if the ref holds something else', async () => {
    const { stand, ref, push, onOrigin, checkout, commitOf } = await setUp();
    const foreign = await commitOf('something else\n');
    await checkout.git('push', '--quiet', 'origin', `${foreign}:${ref}`);
    const damaged = await push();
    expect(damaged.json()).toMatchObject({ code: 'CHECKPOINT_REF_DAMAGED' });
    expect(await onOrigin('main')).toBe(damaged.commitId);
    const none = { status: 501, body: { code: 'NOT_IMPLEMENTED', message: 'There is no log.' } };
    stand.signedIn.platform.answer('GET /v1/audit-log/keys', none);
    const unsealed = await push();
    expect(unsealed.json()).toMatchObject({
      code: 'NOT_IMPLEMENTED',
      message: expect.stringContaining('was pushed'),
    });
    expect(unsealed.code).toBe(1);
    expect(await onOrigin(ref)).toBe(foreign);
  });

  it('takes the checkpoint of a pinned key alone, and pushes nothing if the flag is no key', async () => {
    const { log, ref, push, onOrigin } = await setUp();
    const before = await onOrigin('main');
    const wrong = await push({}, '--log-key', 'log.kee');
    expect(wrong.json()).toMatchObject({
      code: 'KEY_NOT_READABLE',
      message: 'There is no file "log.kee", and it is no key of a log either.',
    });
    expect(await onOrigin('main')).toBe(before);
    const stranger = new SealedLog(log.origin).verifierKey();
    const refused = await push({}, '--log-key', stranger);
    expect(refused.json()).toMatchObject({
      code: 'LOG_NOT_SIGNED',
      message: expect.stringContaining(`main was pushed and is at ${refused.commitId}`),
      details: { next: expect.stringContaining(`--record-checkpoint --log-key ${stranger}`) },
    });
    await expect(onOrigin(ref)).rejects.toThrow();
    const kept = await push({}, '--log-key', stranger, '--log-key', log.verifierKey());
    expect(kept.json<Pushed>().checkpoint).toMatchObject({ ref, size: 1 });
  });

  it('goes on from a checkpoint of a former key, which the log records, and lets no such key sign the log', async () => {
    const { stand, log, push, checkout, commitOf, ref } = await setUp();
    const held = await commitOf(log.checkpoint());
    await checkout.git('push', '--quiet', 'origin', `${held}:${ref}`);
    const rotated = log.addKey();
    const pinned = ['--log-key', log.verifierKey(rotated)];
    // The leaked key alone, which the owner of the new one does not trust any more.
    expect((await push({}, ...pinned)).json()).toMatchObject({ code: 'LOG_NOT_SIGNED' });
    const { platform } = stand.signedIn;
    const { origin, size } = log;
    const body = { origin, size, rootHash: log.root().toString('base64') };
    platform.answer('GET /v1/audit-log/checkpoint', {
      body: { ...body, checkpoint: log.checkpoint({ keys: [rotated] }) },
    });
    expect((await push({}, ...pinned)).json<Pushed>().checkpoint).toMatchObject({ ref, size: 2 });
  });

  it('only prints the commands with --dry-run', async () => {
    const { push, onOrigin } = await setUp();
    const before = await onOrigin('main');
    const { plan } = (await push({}, '--dry-run')).json<{ plan: string[] }>();
    expect(plan.at(-1)).toContain('refs/plat/checkpoints/<tenant_id>');
    expect(plan.join('\n')).not.toContain('--force ');
    expect(await onOrigin('main')).toBe(before);
  });
});
