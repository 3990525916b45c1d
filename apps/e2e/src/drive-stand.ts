import type { ChildProcess } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  claimsOf,
  execFile,
  git,
  quickGitConfig,
  runHostedCommand,
  type ServedGit,
  serveGit,
  spawn,
  startTestService,
  type TestService,
} from '@plat/testing';
import { ALL_SERVICES } from './all-services';
import { InterveningProxy } from './intervening-proxy';
import { signInHome } from './signed-in-home';

/** The PATH of the test's processes. */
const PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';
const workspaceRoot = join(__dirname, '../../..');
const HOST = join(workspaceRoot, 'apps/plat/src/black-box/client-host.cjs');

export interface PlatRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The five services, a repository that they can read, a checkout of it, and a client that is signed in. */
export class DriveStand {
  /** The paths of repositories that are read with credentials alone. */
  private readonly privatePaths = new Set<string>();

  private constructor(
    readonly service: TestService,
    readonly proxy: InterveningProxy,
    private readonly served: ServedGit,
    private readonly folder: string,
    private readonly plat: string,
  ) {}

  static async set(): Promise<DriveStand> {
    const build = promisify(execFile)(process.execPath, ['apps/plat/build.mjs', '--if-stale'], {
      cwd: workspaceRoot,
    });
    const folder = await mkdtemp(join(tmpdir(), 'plat-drive-'));
    const service = await startTestService(...ALL_SERVICES);
    const proxy = await InterveningProxy.start(service.url);
    const served = await serveGit(folder, {
      config: ['http.receivepack=true'],
      refuses: ({ url = '', headers }) =>
        headers.authorization === undefined && [...stand.privatePaths].some((path) => url.startsWith(path)),
    });
    await writeFile(join(folder, '.gitconfig'), quickGitConfig());
    const stand: DriveStand = new DriveStand(service, proxy, served, folder, (await build).stdout.trim());
    await stand.signIn();
    return stand;
  }

  async strike(): Promise<void> {
    await Promise.all([this.service.stop(), this.proxy.close(), this.served.close()]);
    await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * Creates a repository and a checkout of it. Its main has the files README.md and VERSION, and if a script is given
   * also build.sh.
   */
  async repository(name: string, buildScript?: string): Promise<Checkout> {
    const bare = join(this.folder, `${name}.git`);
    await mkdir(dirname(bare), { recursive: true });
    await git(this.folder, ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
    const checkout = new Checkout(this, join(this.folder, name), `${this.served.origin}/${name}.git`);
    await git(this.folder, ['clone', '--quiet', checkout.remote, checkout.folder]);
    for (const [key, value] of Object.entries({ 'user.name': 'Test', 'user.email': 'test@example.com' })) {
      await checkout.git('config', key, value);
    }
    const files = { 'README.md': 'app\n', VERSION: '1.4.0\n' };
    const script = `#!/bin/sh\n${buildScript}\n`;
    await checkout.commit(buildScript === undefined ? files : { ...files, 'build.sh': script }, 'Begin');
    await checkout.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
    return checkout;
  }

  /** Makes a repository private, which its checkout reads with credentials, or public again. */
  async setPrivate(checkout: Checkout, isPrivate: boolean): Promise<void> {
    const { pathname } = new URL(checkout.remote);
    if (isPrivate) this.privatePaths.add(pathname);
    else this.privatePaths.delete(pathname);
    await checkout.git('config', 'http.extraHeader', 'Authorization: Basic bWU6c2VjcmV0');
  }

  /** Another checkout of the same repository, as a second machine or a second folder has one. */
  async anotherCheckout({ remote }: Checkout, name: string): Promise<Checkout> {
    const checkout = new Checkout(this, join(this.folder, name), remote);
    await git(this.folder, ['clone', '--quiet', remote, checkout.folder]);
    for (const [key, value] of Object.entries({ 'user.name': 'Other', 'user.email': 'other@example.com' })) {
      await checkout.git('config', key, value);
    }
    return checkout;
  }

  /** Writes the session that gh keeps for the repositories' host. */
  async signInToForge(token: string): Promise<void> {
    const { host } = new URL(this.served.origin);
    const folder = join(this.folder, '.config', 'gh');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'hosts.yml'), JSON.stringify({ [host]: { oauth_token: token } }));
  }

  /** The home folder of the person who is signed in. */
  get home(): string {
    return this.folder;
  }

  /** A second machine of the person, signed in as well: its variables. */
  async anotherMachine(): Promise<Record<string, string>> {
    const home = await mkdtemp(join(this.folder, 'machine-'));
    await cp(join(this.folder, '.config'), join(home, '.config'), { recursive: true });
    return { HOME: home };
  }

  start(args: string[], cwd: string, more: Record<string, string> = {}): ChildProcess {
    const env = this.environment(more);
    return spawn(process.execPath, [this.plat, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Runs the client to its end, in a process that runs many command lines if the run of tests has one. */
  async run(args: string[], cwd: string, more: Record<string, string> = {}): Promise<PlatRun> {
    const host = [HOST, dirname(this.plat)] as const;
    const run = await runHostedCommand({ host, args, cwd, env: this.environment(more) });
    if (run === undefined) return waitForExit(this.start(args, cwd, more));
    // The host's -1 is a client that a signal ended.
    return { ...run, code: run.code === -1 ? null : run.code };
  }

  private environment(more: Record<string, string>): Record<string, string> {
    return { PATH, HOME: this.folder, ...more };
  }

  /** Runs lines of a shell, in which `plat` is the client, as a person types them. */
  async type(lines: string, cwd: string, more: Record<string, string> = {}): Promise<PlatRun> {
    const bin = join(this.folder, 'bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, 'plat'), `#!/bin/sh\nexec '${process.execPath}' '${this.plat}' "$@"\n`, {
      mode: 0o755,
    });
    const env = { PATH: `${bin}:${PATH}`, HOME: this.folder, ...more };
    return waitForExit(spawn('/bin/sh', ['-c', lines], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  private async signIn(): Promise<void> {
    const accessToken = await this.service.issuer.token(claimsOf('alice'));
    await signInHome(this.folder, { apiUrl: this.proxy.url, issuer: this.service.issuer.url, accessToken });
  }
}

/** A person's checkout, in which the client is run. */
export class Checkout {
  constructor(
    private readonly stand: DriveStand,
    readonly folder: string,
    readonly remote: string,
  ) {}

  /** The worktree in which drives of this checkout work. */
  get worktree(): string {
    return `${this.folder}.plat-drive`;
  }

  /** HEAD, the local branches, and the uncommitted changes: what a drive leaves as it is. */
  async own(): Promise<string> {
    const head = await this.git('rev-parse', '--symbolic-full-name', 'HEAD');
    return [head, await this.git('for-each-ref', 'refs/heads'), await this.git('status', '--porcelain')].join(
      '\n',
    );
  }

  git(...args: string[]): Promise<string> {
    return git(this.folder, args).then((text) => text.trim());
  }

  async commit(files: Record<string, string>, message: string): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, path)), { recursive: true });
      await writeFile(join(this.folder, path), content);
      if (path.endsWith('.sh')) await chmod(join(this.folder, path), 0o755);
    }
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '-m', message);
  }

  /** Proposes a branch with these files and reports a green build, which queues the review. @returns its id */
  async propose(branch: string, files: Record<string, string>): Promise<string> {
    await this.git('switch', '--quiet', '--create', branch, 'main');
    await this.commit(files, `Work on ${branch}`);
    await this.git('push', '--quiet', 'origin', branch);
    const reviewId = await this.report(branch, await this.git('rev-parse', 'HEAD'));
    await this.git('switch', '--quiet', 'main');
    return reviewId;
  }

  /** Creates the review of a branch of origin and reports a green build of its commit. @returns its id */
  async report(branch: string, commitId: string): Promise<string> {
    // Calls the API directly: a start of the client takes longer, and other specs run these commands.
    const branches = { sourceBranch: branch, targetBranch: 'main', repository: this.remote };
    const { reviewId } = await this.post('/v1/reviews', { name: `Review of ${branch}`, ...branches });
    await this.post(`/v1/reviews/${reviewId}/builds`, { commitId, successful: true, version: '1.0.0' });
    return reviewId;
  }

  private async post(path: `/v1/${string}`, body: object): Promise<{ reviewId: string }> {
    const answer = await this.stand.service.send('alice', `POST ${path}`, body);
    if (answer.status !== 201) {
      throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body as { reviewId: string };
  }

  /** Installs a hook of origin. `input` writes the file that the hook reads as stdin; call it before the hook runs. */
  async hook(name: string, script: string) {
    const path = join(`${this.folder}.git`, 'hooks', name);
    const stdin = `${this.folder}.stdin`;
    await writeFile(path, `#!/bin/sh\nexec < '${stdin}'\n${script}\n`, { mode: 0o755 });
    return {
      input: (text: string) => writeFile(stdin, text),
      remove: () => rm(path),
    };
  }

  /**
   * Installs a filter that runs while git writes files of the checkout. `input` writes the file that the script reads
   * as stdin; call it before the filter runs.
   */
  async filter(script: string) {
    const [path, stdin] = [join(this.folder, '.git/smudge'), `${this.folder}.stdin`];
    await writeFile(path, `#!/bin/sh\ncat\nexec < '${stdin}'\n${script}\n`, { mode: 0o755 });
    await this.git('config', 'filter.drop.smudge', path);
    await writeFile(join(this.folder, '.git/info/attributes'), '* filter=drop\n');
    return {
      input: (text: string) => writeFile(stdin, text),
      remove: () => this.git('config', '--unset', 'filter.drop.smudge'),
    };
  }

  /** Runs the client, expects success, and returns its one JSON value. */
  async json<T>(args: string[]): Promise<T> {
    const run = await this.plat(args);
    if (run.code !== 0) {
      throw new Error(`plat ${args.join(' ')} ended with ${run.code}: ${run.stdout}${run.stderr}`);
    }
    return JSON.parse(run.stdout) as T;
  }

  plat(args: string[], env?: Record<string, string>): Promise<PlatRun> {
    return this.stand.run([...args, '--json'], this.folder, env);
  }

  start(args: string[], env?: Record<string, string>): ChildProcess {
    return this.startText([...args, '--json'], env);
  }

  /** Starts the client with the output for a person. */
  startText(args: string[], env?: Record<string, string>): ChildProcess {
    return this.stand.start(args, this.folder, env);
  }
}

export async function waitForExit(child: ChildProcess): Promise<PlatRun> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}
