import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCommand } from '@plat/testing';
import { type Machine, PATH } from './plat-process';

const CONFIGURATION = `
[user]
	name = Test
	email = test@example.com
[init]
	defaultBranch = main
# Only a repository that is kept needs the look for garbage after each command, and the wait for the disk.
[maintenance]
	auto = false
[receive]
	autoGC = false
[core]
	fsync = none
`;

/** A bare origin with the branch `main` of one commit, and a clone of it: a person's checkout. */
export class GateCheckout {
  private constructor(private readonly home: string) {}

  static async create(machine: Machine): Promise<GateCheckout> {
    const checkout = new GateCheckout(machine.home);
    await writeFile(join(machine.home, '.gitconfig'), CONFIGURATION);
    await mkdir(checkout.folder);
    await checkout.git('init', '--quiet', '--bare', checkout.origin);
    await checkout.git('clone', '--quiet', checkout.origin, '.');
    await checkout.commit({ 'numbers.txt': lines(1, 40), 'README.md': 'app\n' }, 'Begin');
    await checkout.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
    return checkout;
  }

  get folder(): string {
    return join(this.home, 'checkout');
  }

  get origin(): string {
    return join(this.home, 'origin.git');
  }

  /** Runs git in the checkout, as the person whose home it is. */
  async git(...args: string[]): Promise<string> {
    const env = { PATH, HOME: this.home, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
    const { code, stdout, stderr } = await runCommand({ program: 'git', args, cwd: this.folder, env });
    if (code !== 0) throw new Error(`git ${args.join(' ')}: exit ${code}\n${stderr}`);
    return stdout.trim();
  }

  /** Writes the files and commits them on the current branch. */
  async commit(files: Record<string, string>, message: string): Promise<string> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, path)), { recursive: true });
      await writeFile(join(this.folder, path), content);
    }
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** Pushes a branch with one commit on top of origin's main, and goes back to main. */
  async branch(name: string, files: Record<string, string>, message = `Work on ${name}`): Promise<string> {
    await this.git('switch', '--quiet', '--create', name, 'main');
    const commit = await this.commit(files, message);
    await this.git('push', '--quiet', 'origin', name);
    await this.git('switch', '--quiet', 'main');
    return commit;
  }

  /** The tree of merging the sources one by one by hand, on top of origin's main. */
  async treeByHand(...sources: string[]): Promise<string> {
    await this.git('switch', '--quiet', '--detach', 'origin/main');
    for (const source of sources) {
      await this.git('merge', '--quiet', '--squash', `origin/${source}`);
      await this.git('commit', '--quiet', '-m', source);
    }
    const tree = await this.tree('HEAD');
    await this.git('switch', '--quiet', 'main');
    return tree;
  }

  tree(revision: string): Promise<string> {
    return this.git('rev-parse', `${revision}^{tree}`);
  }

  /** Every ref, HEAD and the uncommitted changes; two equal states mean that nothing was touched. */
  async everything(): Promise<string> {
    const parts = [this.git('for-each-ref'), this.git('rev-parse', '--symbolic-full-name', 'HEAD')];
    return (await Promise.all([...parts, this.git('status', '--porcelain')])).join('\n');
  }
}

/** Numbered lines. Branches that change different lines merge without a conflict. */
export function lines(from: number, to: number, changed: Record<number, string> = {}): string {
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return numbers.map((number) => `${changed[number] ?? `line ${number}`}\n`).join('');
}
