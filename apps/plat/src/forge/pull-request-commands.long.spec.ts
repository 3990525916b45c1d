import { FORGE_REMOTE, FORGE_TOKEN, ForgeDouble } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';

const SOURCE = 'feature/42-limits';

describe('the commands about pull requests', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  /** A checkout in which a gate merged the source, and a forge. */
  async function setUp(env: Record<string, string> = { GH_TOKEN: FORGE_TOKEN }) {
    const [machine, forge] = await Promise.all([Machine.create(), ForgeDouble.start()]);
    disposals.push(
      () => machine.remove(),
      () => forge.close(),
    );
    const checkout = await GateCheckout.create(machine);
    const sourceCommit = await checkout.branch(SOURCE, { a: 'a\n' });
    const gate = [
      'exec',
      'gate-merge',
      '--messages-on-stdin',
      `--source=${SOURCE}`,
      '--target-branch=main',
      '--json',
    ];
    const merged = await machine.plat(gate, { cwd: checkout.folder, input: 'Add limits' });
    const { mergeCommit } = merged.json<{ mergeCommit: string }>();
    // The forge's repository, as this machine reaches it.
    await checkout.git('config', `url.${checkout.origin}.insteadOf`, FORGE_REMOTE);
    const land = () => checkout.git('push', '--quiet', 'origin', `${mergeCommit}:refs/heads/main`);
    const about = {
      source: SOURCE,
      'target-branch': 'main',
      repository: FORGE_REMOTE,
      'forge-url': forge.url,
    };
    const platWith = (command: string, changes: Partial<typeof about>, ...args: string[]) => {
      const flags = Object.entries({ ...about, ...changes }).map(([flag, value]) => `--${flag}=${value}`);
      return machine.plat(['exec', command, ...flags, '--json', ...args], { cwd: checkout.folder, env });
    };
    const plat = (command: string, ...args: string[]) => platWith(command, {}, ...args);
    return { machine, forge, checkout, land, plat, platWith, sourceCommit, mergeCommit };
  }

  describe('close-pr', () => {
    it.each([
      ['under later commits', ['later.txt'], true],
      ['although a later commit changed the same file', ['a'], true],
    ])('finds the commit that carries the source %s', async (_how, files) => {
      const { checkout, forge, land, plat, sourceCommit, mergeCommit } = await setUp();
      forge.openPull(SOURCE, sourceCommit);
      await land();
      for (const file of files) await checkout.commit({ [file]: 'later\n' }, 'Later');
      await checkout.git('push', '--quiet', 'origin', 'main');
      expect((await plat('close-pr')).json()).toMatchObject({ commitId: mergeCommit, closed: true });
    });

    it('finds a source to which the target was fast-forwarded', async () => {
      const { checkout, forge, plat, sourceCommit } = await setUp();
      forge.openPull(SOURCE, sourceCommit);
      await checkout.git('push', '--quiet', 'origin', `${sourceCommit}:refs/heads/main`);
      expect((await plat('close-pr')).json()).toMatchObject({ commitId: sourceCommit, closed: true });
    });

    it('comments once, after any number of interruptions before the pull request was closed', async () => {
      const { forge, land, plat, sourceCommit, mergeCommit } = await setUp();
      await land();
      const pull = forge.openPull(SOURCE, sourceCommit);
      pull.comments.push('nice', 'thanks', `Landed on \`main\` as ${mergeCommit}.`);
      expect((await plat('close-pr')).code).toBe(0);
      expect(forge.writes).toEqual(['PATCH /repos/acme/app/pulls/1']);
    });
  });
});
