import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkout, DriveStand } from './drive-stand';

jest.setTimeout(180_000);

const SECRETS = { GH_TOKEN: 'forge-secret', AWS_SECRET_ACCESS_KEY: 'cloud-secret' };

/** Writes a repository whose settings have git run a command as soon as it looks for a commit. */
const GIT_FILE = (marker: string) => `#!/bin/sh
mkdir -p evil/objects evil/refs
echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa > evil/HEAD
cat > evil/config <<END
[core]
repositoryFormatVersion = 1
sshCommand = "env > ${marker}; false"
[extensions]
partialClone = origin
[remote "origin"]
url = ssh://git.example/acme/app
promisor = true
END
echo "gitdir: $PWD/evil" > .git
`;

/** Makes a repository in the folder of a submodule, with a filter that git runs when it compares the files. */
const SUBMODULE = (marker: string) => `#!/bin/sh
git init --quiet module && cd module
echo one > a.txt && git add a.txt
git -c user.name=a -c user.email=a@b commit --quiet -m One
git config filter.p.clean "env > ${marker}; cat"
echo '* filter=p' > .gitattributes && echo two > a.txt
`;

describe('a drive whose gate runs apart, in the worktree alone,', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  const drive = (checkout: Checkout, command: string) =>
    checkout.plat(['drive', '--target-branch', 'main', '--gate-command', command], SECRETS);
  const markerOf = (checkout: Checkout) => `${checkout.folder}.marker`;
  const isThere = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );
  /** A checkout whose main has a submodule without files. */
  async function checkoutWithModule(name: string): Promise<Checkout> {
    const checkout = await stand.repository(name);
    const commit = await checkout.git('rev-parse', 'HEAD');
    await mkdir(join(checkout.folder, 'module'));
    await checkout.git('update-index', '--add', '--cacheinfo', `160000,${commit},module`);
    await checkout.git('commit', '--quiet', '-m', 'Module');
    await checkout.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
    return checkout;
  }

  it.each([
    ['git-file', '.git', GIT_FILE],
    ['module', 'module/.git', SUBMODULE],
  ])('runs nothing outside of the gate if its code replaces a .git: %s', async (name, file, script) => {
    const checkout = await checkoutWithModule(name);
    await checkout.propose('feature/1', { 'test.sh': script(markerOf(checkout)) });
    const stopped = await drive(checkout, './test.sh');
    expect(JSON.parse(stopped.stdout)).toMatchObject({
      reviews: [{ outcome: 'FAILED', detail: expect.stringContaining(file) as unknown }],
    });
    expect(await isThere(markerOf(checkout))).toBe(false);
    // The next drive makes the worktree again, and a gate that leaves it alone decides.
    await checkout.propose('feature/2', { 'next.txt': 'next\n' });
    const landed = await drive(checkout, 'true');
    expect(JSON.parse(landed.stdout)).toMatchObject({ reviews: [{ outcome: 'MERGED' }] });
    expect(landed.stderr).toContain('A gate replaced a .git in the worktree');
    expect(await isThere(markerOf(checkout))).toBe(false);
  });

  it('runs no pre-push hook of the branch, and says so once', async () => {
    const checkout = await stand.repository('hook');
    await checkout.git('config', 'core.hooksPath', '.husky');
    await checkout.git('config', 'core.fileMode', 'false');
    const hook = `#!/bin/sh\nenv > '${markerOf(checkout)}'\n`;
    for (const branch of ['feature/1', 'feature/2']) {
      await checkout.git('switch', '--quiet', '--create', branch, 'main');
      await checkout.commit({ '.husky/pre-push': hook, [`${branch}.txt`]: 'x\n' }, branch);
      await checkout.git('update-index', '--chmod=+x', '.husky/pre-push');
      await checkout.git('commit', '--quiet', '--amend', '--no-edit');
      await checkout.git('push', '--quiet', '--no-verify', 'origin', branch);
      await checkout.report(branch, await checkout.git('rev-parse', 'HEAD'));
      await checkout.git('switch', '--quiet', 'main');
    }
    const run = await drive(checkout, 'test -x .husky/pre-push');
    expect(JSON.parse(run.stdout)).toMatchObject({ reviews: [{ outcome: 'MERGED' }, { outcome: 'MERGED' }] });
    expect(run.stderr.match(/pre-push is not run/g)).toHaveLength(1);
    expect(await isThere(markerOf(checkout))).toBe(false);
  });
});
