import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { git, GitCommandFailed, gitLine } from './git-command';

/** A file's content; null deletes it. */
export type FileChange =
  string | Buffer | null | { executable: string } | { symlink: string } | { submodule: string };
export type FileChanges = Record<string, FileChange>;

/** One commit of an imported history; `parents` and `files` may only name what comes before it. */
export interface ImportedCommit {
  /** Positions in the list of commits. */
  parents: readonly number[];
  /** Seconds since 1970; may be earlier than the parents' dates. */
  date: number;
  /** The whole content of the commit: text by path. */
  files?: Readonly<Record<string, string>>;
}

function importedCommit({ parents, date, files = {} }: ImportedCommit, index: number): string {
  const [first, ...others] = parents;
  return [
    // For a commit without a parent the throw-away branch is reset, else its last commit would become the parent.
    first === undefined ? 'reset refs/imported\n\n' : '',
    `commit refs/imported\nmark :${index + 1}\ncommitter Test <test@example.com> ${date} +0000\n`,
    data(`commit ${index}`),
    first === undefined ? '' : `from :${first + 1}\n`,
    ...others.map((parent) => `merge :${parent + 1}\n`),
    'deleteall\n',
    ...Object.entries(files).map(([path, content]) => `M 100644 inline ${path}\n${data(content)}`),
    '\n',
  ].join('');
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

/**
 * A real repository that is read as a remote. Histories are made with the git command in a work tree, and a server serves
 * `directory`. Each test makes its own and removes it.
 */
export class GitRemote {
  private commits = 0;

  private constructor(private readonly root: string) {}

  /** An empty repository with the unborn branch `main`. */
  static async create(): Promise<GitRemote> {
    const root = await mkdtemp(join(tmpdir(), 'plat-git-'));
    const remote = new GitRemote(root);
    await mkdir(remote.worktree);
    // Without the sample hooks, which no test runs.
    await remote.git('init', '--quiet', '--template=', '--initial-branch=main', '.');
    await mkdir(join(remote.directory, 'info'));
    await appendFile(join(remote.directory, 'config'), '[uploadpack]\n\tallowFilter = true\n');
    return remote;
  }

  /** The git directory, which is served like a bare repository. */
  get directory(): string {
    return join(this.worktree, '.git');
  }

  /** The folder that holds the repository as `repo/.git`. */
  get projectRoot(): string {
    return this.root;
  }

  get fileUrl(): string {
    return pathToFileURL(this.directory).href;
  }

  get worktree(): string {
    return join(this.root, 'repo');
  }

  git(...args: string[]): Promise<string> {
    return git(this.worktree, args, { environment: this.dates() });
  }

  /** Whether the command exits with 0; 1 is false, anything else is thrown. */
  async test(...args: string[]): Promise<boolean> {
    try {
      await this.git(...args);
      return true;
    } catch (error) {
      if (error instanceof GitCommandFailed && error.exitCode === 1) return false;
      throw error;
    }
  }

  /** Commits changes on the current branch and returns the commit's id. Without changes the commit is empty. */
  async commit(changes: FileChanges = {}, message = `commit ${this.commits}`): Promise<string> {
    const written = await this.apply(changes);
    const add = written.length > 0 ? 'git add -- "$@" && ' : '';
    const line = `${add}exec git commit --quiet --allow-empty -m "$MESSAGE"`;
    const environment = { ...this.dates(), MESSAGE: message };
    await gitLine(this.worktree, [line, ...written], { environment });
    return this.head();
  }

  /** The commit that is checked out. Git writes it into one file at each commit, so no command needs to be started. */
  async head(): Promise<string> {
    const head = await readFile(join(this.directory, 'HEAD'), 'utf8');
    const branch = /^ref: (.+)/.exec(head)?.[1];
    if (branch === undefined) return head.trim();
    const tip = await readFile(join(this.directory, branch), 'utf8').catch(() => undefined);
    return tip?.trim() ?? this.git('rev-parse', 'HEAD');
  }

  /** Switches to a branch, making it at `start` when that is given. */
  async switch(branch: string, start?: string): Promise<void> {
    await (start === undefined
      ? this.git('switch', '--quiet', branch)
      : this.git('switch', '--quiet', '-C', branch, start));
  }

  /** Starts a branch that shares no history with the others, with an empty tree. */
  async orphan(branch: string): Promise<void> {
    await this.git('switch', '--quiet', '--orphan', branch);
  }

  /** A merge commit on the current branch, never a fast-forward. */
  async merge(...branches: string[]): Promise<string> {
    await this.git('merge', '--quiet', '--no-ff', '--no-edit', ...branches);
    return this.head();
  }

  /** Commits everything that another branch adds as one commit on the current branch. */
  async squash(branch: string): Promise<string> {
    await this.git('merge', '--quiet', '--squash', branch);
    return this.commit({}, `squash ${branch}`);
  }

  /** The tree of git's own merge of two commits, and the paths with a conflict. Nothing is checked out. */
  async mergeTree(ours: string, theirs: string): Promise<{ tree: string; conflicts: string[] }> {
    const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', ours, theirs];
    const answer = await this.git(...args).catch((error: unknown) => {
      if (error instanceof GitCommandFailed && error.exitCode === 1) return error.stdout.trimEnd();
      throw error;
    });
    const [tree = '', ...conflicts] = answer.split('\n');
    return { tree, conflicts };
  }

  async cherryPick(...commits: string[]): Promise<string> {
    await this.git('cherry-pick', '--allow-empty', ...commits);
    return this.head();
  }

  async revert(commit: string): Promise<string> {
    await this.git('revert', '--no-edit', commit);
    return this.head();
  }

  /**
   * A whole history in one go, by `git fast-import`: for random histories, where a command a commit takes too long.
   * @returns the ids in the order of `commits`
   */
  async import(commits: readonly ImportedCommit[], branches: Record<string, number>): Promise<string[]> {
    const refs = Object.entries(branches).map(
      ([name, index]) => `reset refs/heads/${name}\nfrom :${index + 1}\n\n`,
    );
    const stream = [...commits.map(importedCommit), ...refs, 'done\n'].join('');
    const marks = join(this.root, 'marks');
    await git(this.worktree, ['fast-import', '--quiet', '--force', '--done', `--export-marks=${marks}`], {
      input: stream,
    });
    const ids = new Map(
      (await readFile(marks, 'utf8')).split('\n').map((line) => line.split(' ') as [string, string]),
    );
    return commits.map((_, index) => ids.get(`:${index + 1}`) ?? '');
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  /** Writes the changes, and takes away what is deleted. @returns the paths that are to be added */
  private async apply(changes: FileChanges): Promise<string[]> {
    const paths = Object.keys(changes);
    const removed = paths.filter((path) => changes[path] === null);
    if (removed.length > 0) await this.git('rm', '--quiet', '-r', '-f', ...removed);
    const written: string[] = [];
    for (const path of paths) {
      const change = changes[path];
      if (change === null || change === undefined) continue;
      if (typeof change === 'object' && 'submodule' in change) {
        await this.git('update-index', '--add', '--cacheinfo', `160000,${change.submodule},${path}`);
      } else {
        await this.write(path, change);
        written.push(path);
      }
    }
    return written;
  }

  private async write(
    path: string,
    change: Exclude<FileChange, null | { submodule: string }>,
  ): Promise<void> {
    const file = join(this.worktree, path);
    await mkdir(dirname(file), { recursive: true });
    await rm(file, { recursive: true, force: true });
    if (typeof change === 'string' || Buffer.isBuffer(change)) await writeFile(file, change);
    else if ('symlink' in change) await symlink(change.symlink, file);
    else await writeFile(file, change.executable, { mode: 0o755 });
  }

  /** Dates each command a second later than the one before, so that ids and orders are the same in every run. */
  private dates(): Record<string, string> {
    this.commits += 1;
    const date = `${1_700_000_000 + this.commits} +0000`;
    return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  }
}
