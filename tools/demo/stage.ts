import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ServedGit,
  serveGit,
  type StandaloneProcess,
  startStandalone,
  testEnvironment,
} from '@plat/testing';
import { command, Unexpected } from './report';
import { type Finished, run } from './run';

/** The set-up of the demo: a running service, a repository served over HTTP, a clone of it and a client's own folder. */
export class Stage {
  private constructor(
    private readonly folder: string,
    private readonly service: StandaloneProcess,
    private readonly served: ServedGit,
    private readonly platEntry: string,
  ) {}

  static async set(platEntry: string): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'plat-demo-'));
    const served = await serveGit(folder, { config: ['http.receivepack=true'] });
    try {
      return new Stage(folder, await startStandalone({ folder }), served, platEntry);
    } catch (error) {
      await served.close();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get apiUrl(): string {
    return this.service.apiUrl;
  }

  get remoteUrl(): string {
    return `${this.served.origin}/app.git`;
  }

  get clone(): string {
    return join(this.folder, 'app');
  }

  /** Makes the bare repository with a first commit on main, and the clone that the client works in. */
  async makeRepository(files: Record<string, string>): Promise<void> {
    await this.git(
      ['init', '--quiet', '--bare', '--initial-branch=main', join(this.folder, 'app.git')],
      this.folder,
    );
    await this.git(['clone', '--quiet', this.remoteUrl, this.clone], this.folder);
    await this.commit('main', 'Start', files);
  }

  /** Commits files on a branch, which starts at the present main where it is new, and pushes it. */
  async commit(branch: string, message: string, files: Record<string, string>): Promise<string> {
    await this.git(
      branch === 'main'
        ? ['checkout', '--quiet', '-B', 'main']
        : ['checkout', '--quiet', '-b', branch, 'main'],
    );
    for (const [name, content] of Object.entries(files)) await writeFile(join(this.clone, name), content);
    await this.git(['add', '--all']);
    await this.git(['commit', '--quiet', '--message', message]);
    await this.git(['push', '--quiet', 'origin', branch]);
    return this.git(['rev-parse', 'HEAD']);
  }

  async git(args: string[], cwd = this.clone): Promise<string> {
    const { code, stdout, stderr } = await run('git', args, { cwd, env: this.environment });
    if (code !== 0) throw new Unexpected(`git ${args.join(' ')}\n${stderr}`);
    return stdout.trim();
  }

  /** Runs the project's own test stage in the clone. */
  async test(): Promise<boolean> {
    command('sh test.sh');
    return (await run('sh', ['test.sh'], { cwd: this.clone, env: this.environment })).code === 0;
  }

  /** Runs the client with JSON output, and returns what it printed. */
  async plat<Result>(
    args: string[],
    options: { expectCode?: number; onStderr?(text: string): void } = {},
  ): Promise<Result> {
    command(`plat ${args.map((arg) => (/^[\w./:-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')}`);
    const finished = await this.runPlat([...args, '--json'], options.onStderr);
    if (finished.code !== (options.expectCode ?? 0)) {
      throw new Unexpected(
        `plat ${args.join(' ')} ended with ${finished.code}\n${finished.stdout}${finished.stderr}`,
      );
    }
    return JSON.parse(finished.stdout) as Result;
  }

  async strike(): Promise<void> {
    await this.service.stop();
    await this.served.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async runPlat(args: string[], onStderr?: (text: string) => void): Promise<Finished> {
    await mkdir(this.clone, { recursive: true });
    return run(process.execPath, [this.platEntry, ...args], {
      cwd: this.clone,
      env: this.environment,
      onStderr,
    });
  }

  /** The client's folder and git's identity are the demo's own; nothing of the person's is read or changed. */
  private get environment(): NodeJS.ProcessEnv {
    const who = { NAME: 'Alice', EMAIL: 'alice@acme.example' };
    return {
      ...testEnvironment(),
      HOME: join(this.folder, 'home'),
      XDG_CONFIG_HOME: join(this.folder, 'config'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: who.NAME,
      GIT_AUTHOR_EMAIL: who.EMAIL,
      GIT_COMMITTER_NAME: who.NAME,
      GIT_COMMITTER_EMAIL: who.EMAIL,
    };
  }
}
