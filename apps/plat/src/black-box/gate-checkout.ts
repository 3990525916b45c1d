import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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

/** The files that the commit of a branch changes: the text of each, undefined for one that it removes. */
type BranchFiles = Record<string, string | undefined>;

/** A bare origin with the branch `main` of one commit, and a clone of it: a person's checkout. */
export class GateCheckout {
  private constructor(private readonly home: string) {}

  static async create({ home }: Pick<Machine, 'home'>): Promise<GateCheckout> {
    const made = await makeOnce();
    await cp(made.home, home, { recursive: true, preserveTimestamps: true });
    const checkout = new GateCheckout(home);
    // A repository's configuration is its only file with a path.
    const path = join(checkout.folder, '.git', 'config');
    await writeFile(path, (await readFile(path, 'utf8')).replace(made.origin, checkout.origin));
    // The index has the inodes of the files that were copied.
    await checkout.git('update-index', '--refresh');
    return checkout;
  }

  /** Makes the repository and its clone by git. */
  static async make(home: string): Promise<GateCheckout> {
    const checkout = new GateCheckout(home);
    await writeFile(join(home, '.gitconfig'), CONFIGURATION);
    await mkdir(checkout.folder);
    await checkout.git('init', '--quiet', '--bare', checkout.origin);
    await checkout.git('clone', '--quiet', checkout.origin, '.');
    await checkout.commit({ 'numbers.txt': lines(1, 40), 'README.md': 'app\n' }, 'Begin');
    await checkout.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
    for (const repository of [checkout.origin, checkout.gitFolder]) {
      // The sample hooks, which no test runs.
      await rm(join(repository, 'hooks'), { recursive: true });
      await mkdir(join(repository, 'hooks'));
    }
    return checkout;
  }

  get folder(): string {
    return join(this.home, 'checkout');
  }

  get origin(): string {
    return join(this.home, 'origin.git');
  }

  private get gitFolder(): string {
    return join(this.folder, '.git');
  }

  /** Runs git in the checkout, as the person whose home it is. */
  git(...args: string[]): Promise<string> {
    return this.gitWith('', ...args);
  }

  private async gitWith(text: string, ...args: string[]): Promise<string> {
    const env = { PATH, HOME: this.home, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
    const input = Buffer.from(text).toString('base64');
    const { code, stdout, stderr } = await runCommand({ program: 'git', args, cwd: this.folder, env, input });
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

  /** Makes and pushes a branch with one commit on top of main, and leaves the working tree as it is. */
  async branch(name: string, files: BranchFiles, message = `Work on ${name}`): Promise<string> {
    const branch = `refs/heads/${name}`;
    await this.gitWith(
      commitStream(branch, files, message),
      ...['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet', '--done'],
    );
    const commit = await readFile(join(this.gitFolder, branch), 'utf8');
    const [own, others] = await Promise.all([this.gitFolder, this.origin].map(mainOf));
    if (own !== undefined && own === others) await this.share(name, commit);
    else await this.git('push', '--quiet', 'origin', name);
    return commit.trim();
  }

  /** Gives origin a branch as a push does, which starts six processes. Origin has all that is below its commit. */
  private async share(name: string, commit: string): Promise<void> {
    const [from, to] = [this.gitFolder, this.origin].map((folder) => join(folder, 'objects', 'pack'));
    for (const file of await readdir(from!)) await copyFile(join(from!, file), join(to!, file));
    const tracked = join(this.gitFolder, 'refs', 'remotes', 'origin', name);
    for (const ref of [join(this.origin, 'refs', 'heads', name), tracked]) {
      await mkdir(dirname(ref), { recursive: true });
      await writeFile(ref, commit);
    }
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

/** The commit of main in a repository, or undefined if another file than that of the branch has it. */
const mainOf = (repository: string) =>
  readFile(join(repository, 'refs', 'heads', 'main'), 'utf8').catch(() => undefined);

/** A commit on top of main, as the text that `git fast-import` reads. */
function commitStream(branch: string, files: BranchFiles, message: string): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  return [
    `commit ${branch}\ncommitter Test <test@example.com> ${Math.floor(Date.now() / 1000)} +0000\n`,
    data(`${message}\n`),
    'from refs/heads/main^0\n',
    ...Object.entries(files).map(([path, text]) =>
      text === undefined
        ? `D ${JSON.stringify(path)}\n`
        : `M 100644 inline ${JSON.stringify(path)}\n${data(text)}`,
    ),
    'done\n',
  ].join('');
}

/** The first checkout of the run, which the others are copies of: all workers have the run's folder. */
async function makeOnce() {
  const home = join(tmpdir(), 'plat-made-checkout');
  const made = { home, origin: join(home, 'origin.git') };
  if (existsSync(home)) return made;
  const fresh = await mkdtemp(`${home}-`);
  const { origin, folder } = await GateCheckout.make(fresh);
  const config = join(folder, '.git', 'config');
  await writeFile(config, (await readFile(config, 'utf8')).replace(origin, made.origin));
  // Another worker may have been faster.
  await rename(fresh, home).catch(() => rm(fresh, { recursive: true }));
  return made;
}

/** Numbered lines. Branches that change different lines merge without a conflict. */
export function lines(from: number, to: number, changed: Record<number, string> = {}): string {
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return numbers.map((number) => `${changed[number] ?? `line ${number}`}\n`).join('');
}
