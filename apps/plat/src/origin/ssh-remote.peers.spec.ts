/** @peers openssh */
import { type SshServer, startSshServer } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';

describe('a checkout whose origin is reached over ssh', () => {
  let server: SshServer;
  beforeAll(async () => (server = await startSshServer()));
  afterAll(() => server.stop());
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    await checkout.git('remote', 'set-url', 'origin', `${server.origin}${checkout.origin}`);
    await checkout.git('config', 'core.sshCommand', server.command);
    const plat = (args: string[], input?: string) =>
      machine.plat([...args, '--json'], { cwd: checkout.folder, input });
    const originMain = () => checkout.git('--git-dir', checkout.origin, 'rev-parse', 'refs/heads/main');
    return { checkout, plat, originMain };
  }

  it('gate-merge makes the same tree as by hand, and push brings it to the target', async () => {
    const { checkout, plat, originMain } = await setUp();
    await checkout.branch('topic/a', { 'a.txt': 'a\n' });
    await checkout.branch('topic/b', { 'b.txt': 'b\n' });
    const byHand = await checkout.treeByHand('topic/a', 'topic/b');
    const sources = ['--source=topic/a', '--source=topic/b'];
    // The messages of the squashes come from stdin.
    expect(
      await plat(['exec', 'gate-merge', '--messages-on-stdin', ...sources, '--target-branch=main'], 'A\0B'),
    ).toMatchObject({
      code: 0,
    });
    expect(await checkout.tree('HEAD')).toBe(byHand);
    const merge = await checkout.git('rev-parse', 'HEAD');
    const push = ['exec', 'push', '--target-branch=main', `--commit-id=${merge}`];
    expect(await plat(push)).toMatchObject({ code: 0 });
    expect(await originMain()).toBe(merge);
  });

  it.each([
    ['push', ['exec', 'push', '--target-branch=main']],
    // Without a branch, the command asks origin for its default branch first.
    ['push without a branch', ['exec', 'push']],
  ])('%s reports that the key is refused, and does not ask for a password', async (_, command) => {
    const { checkout, plat, originMain } = await setUp();
    const before = await originMain();
    await checkout.commit({ a: 'a\n' }, 'Merge');
    await checkout.git('config', 'core.sshCommand', server.command.replace(/-i \S+/, '-i /nowhere'));
    const commitId = await checkout.git('rev-parse', 'HEAD');
    const { code, stdout } = await plat([...command, `--commit-id=${commitId}`]);
    expect(code).toBe(1);
    expect(stdout).toContain('Permission denied (publickey)');
    expect(await originMain()).toBe(before);
  });
});
