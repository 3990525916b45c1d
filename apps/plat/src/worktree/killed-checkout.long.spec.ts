import { once } from 'node:events';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import type { GateMerge } from '../gate/gate-merge';

/** Kills git and the client that started it, while git checks a file out into the checkout. */
const kill = (folder: string) =>
  `#!/bin/sh\ntest -e '${folder}/.git/index.lock' && kill -KILL $(ps -o ppid= -p $PPID) $PPID\ncat\n`;

describe('a gate-merge that was killed with its git while it checked a commit out', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  /** @param filtered the file at which it is killed */
  async function killCheckout(
    filtered: string,
    makes: (checkout: GateCheckout) => Promise<unknown> = makeSource,
  ) {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    await makes(checkout);
    await writeFile(join(checkout.folder, '.git/kill'), kill(checkout.folder), { mode: 0o755 });
    await checkout.git('config', 'filter.kill.smudge', '.git/kill');
    await checkout.git('config', 'filter.kill.clean', 'cat');
    await writeFile(join(checkout.folder, '.git/info/attributes'), `${filtered} filter=kill\n`);
    const start = [
      'exec',
      'gate-merge',
      '--messages-on-stdin',
      '--source=part',
      '--target-branch=main',
      '--json',
    ];
    const first = await machine.start(start, { cwd: checkout.folder, input: 'Part' });
    expect(await once(first, 'close')).toEqual([null, 'SIGKILL']);
    await rm(join(checkout.folder, '.git/info/attributes'));
    const again = () => machine.plat(start, { cwd: checkout.folder, input: 'Part' });
    return { checkout, again, stash: () => checkout.git('stash', 'list') };
  }

  function makeSource(checkout: GateCheckout) {
    const files = { 'a.txt': 'added\n', 'numbers.txt': lines(1, 40, { 3: 'part' }), 'z.txt': 'last\n' };
    return checkout.branch('part', files);
  }

  it.each([
    ['a new file', 'z.txt'],
    ['a changed file, whose old version git has removed already', 'numbers.txt'],
  ])('is repeated without any other command: killed at %s', async (_what, file) => {
    const { checkout, again, stash } = await killCheckout(file);
    expect(await readFile(join(checkout.folder, '.git/index.lock'), 'utf8')).toBe('');
    const run = await again();
    expect(run.json<GateMerge>().merged).toHaveLength(1);
    expect(run.stderr).toMatch(
      /^An earlier run was killed while it checked out [0-9a-f]{40}: [0-9a-f]{40} is /,
    );
    expect(await checkout.git('status', '--porcelain', '--ignored')).toBe('');
    expect(await stash()).toBe('');
  });

  it('is repeated if the checkout of the target was cut short', async () => {
    const { checkout, again } = await killCheckout('z.txt', async (made) => {
      await made.branch('part', { 'part.txt': 'part\n' });
      await made.branch('next', { 'z.txt': 'last\n' });
      await made.git('push', '--quiet', 'origin', 'next:main');
    });
    expect((await again()).json<GateMerge>().merged).toHaveLength(1);
    expect(await checkout.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
  });

  it('is refused if a file was changed since: nothing is reset, and the file is named', async () => {
    const { checkout, again, stash } = await killCheckout('z.txt');
    await writeFile(join(checkout.folder, 'README.md'), 'mine\n');
    expect((await again()).json()).toMatchObject({ code: 'DIRTY_TREE' });
    expect(await readFile(join(checkout.folder, 'README.md'), 'utf8')).toBe('mine\n');
    expect(await readFile(join(checkout.folder, 'numbers.txt'), 'utf8')).toContain('part');
    expect(await stash()).toBe('');
  });

  it('leaves a lock that a person’s git may hold, and the lock’s name is in the error', async () => {
    const { checkout, again } = await killCheckout('z.txt');
    await writeFile(join(checkout.folder, '.git/index.lock'), 'an index\n');
    expect((await again()).json()).toMatchObject({
      code: 'GIT_FAILED',
      message: expect.stringContaining('index.lock') as unknown,
    });
    expect(await readFile(join(checkout.folder, '.git/index.lock'), 'utf8')).toBe('an index\n');
  });

  it('is repeated although the commit that was checked out is not here any more', async () => {
    const { checkout, again } = await killCheckout('z.txt');
    const path = join(checkout.folder, '.git/plat/begun-checkout.json');
    const begun = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(path, JSON.stringify({ ...begun, commitId: 'f'.repeat(40) }));
    expect((await again()).json()).toMatchObject({ code: 'DIRTY_TREE' });
    await checkout.git('reset', '--quiet', '--hard');
    await checkout.git('clean', '--quiet', '--force');
    expect((await again()).json<GateMerge>().merged).toHaveLength(1);
  });

  it('puts a submodule back that was being taken out', async () => {
    const { checkout, again } = await killCheckout('z.txt', async (made) => {
      await appendFile(join(made.folder, '../.gitconfig'), '[protocol "file"]\n\tallow = always\n');
      await made.git('submodule', '--quiet', 'add', made.origin, 'library');
      await made.commit({}, 'Library');
      await made.git('push', '--quiet', 'origin', 'main');
      await made.git('switch', '--quiet', '--create', 'part');
      await made.git('rm', '--quiet', '--cached', 'library');
      await writeFile(join(made.folder, 'z.txt'), 'last\n');
      await made.git('add', 'z.txt');
      await made.git('commit', '--quiet', '-m', 'Drop');
      await made.git('push', '--quiet', 'origin', 'part');
      await made.git('reset', '--quiet', '--hard');
      await made.git('switch', '--quiet', 'main');
      await made.git('submodule', '--quiet', 'update');
    });
    await checkout.git('push', '--quiet', '--delete', 'origin', 'part');
    expect((await again()).json<GateMerge>().skipped).toMatchObject([{ reason: 'missing' }]);
    expect(await readFile(join(checkout.folder, 'library', 'README.md'), 'utf8')).toBe('app\n');
    expect(await checkout.git('status', '--porcelain', '--ignore-submodules=none')).toBe('');
  });
});
