import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import { addressOfOrigin, repositoryOfCheckout } from '../checkout/checkout';
import { gitIn } from '../git/git';

describe('an origin whose host only the SSH configuration of this machine knows', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  /** @param configured what SSH answers to -G, as OpenSSH prints the configuration of a host */
  async function setUp(origin: string, configured: string) {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    const program = join(machine.home, 'my ssh');
    const answer = `test "$1" = -v && test "$2" = -G || exit 255\ncat <<END\nuser git\n${configured}\nEND\n`;
    await writeFile(program, `#!/bin/sh\n${answer}`, { mode: 0o755 });
    await checkout.git('remote', 'set-url', 'origin', origin);
    await checkout.git('config', 'core.sshCommand', `'${program}' -v`);
    return { checkout, git: gitIn(checkout.folder) };
  }

  it.each([
    ['git@work:acme/app.git', 'https://work/acme/app', 'git@github.com:acme/app.git'],
    ['git@github.com-work:acme/app.git', 'https://github.com-work/acme/app', 'git@github.com:acme/app.git'],
    [
      'ssh://git@work:2222/acme/app.git',
      'ssh://work:2222/acme/app',
      'ssh://git@github.com:2222/acme/app.git',
    ],
  ])('is refused for %s, and the printed command names it for everybody', async (origin, used, named) => {
    const { checkout, git } = await setUp(origin, 'hostname github.com\nidentityfile ~/.ssh/id_ed25519');
    await expect(repositoryOfCheckout(git)).rejects.toMatchObject({
      code: 'SSH_ALIAS',
      message: expect.stringContaining(`It would read ${used}.`) as unknown,
      details: { used, hostName: 'github.com' },
      next: `git remote set-url origin ${named}, then repeat the command`,
    });
    await checkout.git('remote', 'set-url', 'origin', named);
    expect(await repositoryOfCheckout(git)).toMatch(/^(?:https|ssh):\/\/github\.com(?::2222)?\/acme\/app$/);
  });

  it('is refused with the command that keeps the key of the alias', async () => {
    const { git } = await setUp(
      'work:acme/app',
      'hostname git.example.com\nidentityfile ~/.ssh/work\nidentityfile ~/.ssh/id_rsa',
    );
    await expect(repositoryOfCheckout(git)).rejects.toMatchObject({
      next: "git remote set-url origin git.example.com:acme/app && git config core.sshCommand 'ssh -o IdentitiesOnly=yes -i ~/.ssh/work', then repeat the command",
    });
  });

  it.each([
    ['a public name that SSH reaches by another door', 'git@github.com:acme/app', 'hostname ssh.github.com'],
    ['a name of the own network', 'git@forge:acme/app', 'hostname forge'],
    ['a name that a search domain completes', 'git@forge:acme/app', 'hostname forge.example.com'],
    ['an address of the network', 'git@10.0.0.7:acme/app', 'hostname forge.example.com'],
    ['an SSH that does not say', 'git@forge:acme/app', 'unknown option -G'],
  ])('is not: %s', async (_what, origin, configured) => {
    const { git } = await setUp(origin, configured);
    expect(await repositoryOfCheckout(git)).toBe(`https://${/@(.*):/.exec(origin)![1]}/acme/app`);
  });

  it.each([
    ['hostname github.com', 'git@github.com:acme/app.git'],
    ['hostname ssh.github.com\nport 443', 'git@github.com:acme/app.git'],
    ['hostname github.com', 'ssh://git@github.com/acme/app.git'],
  ])(
    'is known by its stored address if git leads that to an alias of the host: %s',
    async (configured, stored) => {
      const { checkout, git } = await setUp(stored, configured);
      const prefix = stored.slice(0, stored.indexOf('acme/'));
      await checkout.git('config', 'url.git@work:.insteadOf', prefix);
      expect(await checkout.git('remote', 'get-url', 'origin')).toBe('git@work:acme/app.git');
      expect(await repositoryOfCheckout(git)).toBe('https://github.com/acme/app');
      expect(await addressOfOrigin(git)).toBe(stored);
    },
  );

  it('is refused if git leads the stored address to another host', async () => {
    const { checkout, git } = await setUp('git@github.com:acme/app.git', 'hostname mirror.example.com');
    await checkout.git('config', 'url.git@work:.insteadOf', 'git@github.com:');
    await expect(repositoryOfCheckout(git)).rejects.toMatchObject({ code: 'SSH_ALIAS' });
  });
});
