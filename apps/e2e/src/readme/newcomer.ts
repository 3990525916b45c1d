import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { approveDevice, git, quickGitConfig, type ServedGit, serveGit, spawn } from '@plat/testing';
import { type PlatRun, waitForExit } from '../drive-stand';
import { type FencedBlock, readFencedBlocks, withoutComment } from './readme-blocks';

/** The address that README.md prints. The test's service has another port, because this one may be taken. */
const PRINTED_ADDRESS = 'http://127.0.0.1:7070';

/** The folders of git and of the shell's programs. */
const PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

/**
 * A person who has cloned plat and types the commands of its README.md, with a home folder, a place for programs and a
 * project of their own. Four things differ from a person's machine:
 *
 * - `node_modules` of the clone is a link to that of this checkout, because installing takes minutes and the network. Both
 *   lock files are equal, so that no command installs anything.
 * - `npm link` writes below the home folder, by npm's own setting `prefix`.
 * - `npm start` listens on a free port and writes a ready file, by the flags that README.md names.
 * - Nx has its sockets below the folder. It takes `/tmp/.nx` or, if another user owns that, a folder below the home folder,
 *   whose path is too long here for a socket.
 */
export class Newcomer {
  /** The commands that were typed, without their comments. */
  readonly typed = new Set<string>();
  /** The base address of the service. */
  address = PRINTED_ADDRESS;
  private service?: ChildProcess;
  /** The output of the service since the last text that was waited for. */
  private heard = '';
  private onOutput = (): void => undefined;
  private onEnd = (): void => undefined;

  private constructor(
    private readonly folder: string,
    private readonly served: ServedGit,
    readonly blocks: readonly FencedBlock[],
  ) {}

  static async arrive(): Promise<Newcomer> {
    const folder = await mkdtemp(join(tmpdir(), 'plat-readme-'));
    // PostgreSQL, which is another user if the tests run as root, has to get through.
    await chmod(folder, 0o711);
    await mkdir(join(folder, 'home'));
    await writeFile(
      join(folder, 'home', '.gitconfig'),
      `${quickGitConfig()}[user]\n\tname = Newcomer\n\temail = newcomer@example.com\n`,
    );
    const clone = join(folder, 'plat');
    await cloneWithChanges(clone);
    const served = await serveGit(folder, { config: ['http.receivepack=true'] });
    return new Newcomer(folder, served, readFencedBlocks(await readFile(join(clone, 'README.md'), 'utf8')));
  }

  async leave(): Promise<void> {
    await this.stopService();
    await this.served.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The commands of the blocks below a heading. */
  commandsBelow(heading: string): string[] {
    return this.blocks.filter((block) => block.heading === heading).flatMap(({ commands }) => commands);
  }

  /** The clone of plat. */
  get clone(): string {
    return join(this.folder, 'plat');
  }

  /** Written by the service once everything answers. */
  get readyFile(): string {
    return join(this.folder, 'ready.json');
  }

  /** The checkout of the newcomer's own project. */
  get project(): string {
    return join(this.folder, 'app');
  }

  /** Makes the project, with a version and a build script that passes, and a branch with a change. */
  async makeProject(branch: string): Promise<void> {
    const bare = join(this.folder, 'app.git');
    await git(this.folder, ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
    await this.run(`git clone --quiet ${this.served.origin}/app.git app`, this.folder);
    await writeFile(join(this.project, 'build.sh'), '#!/bin/sh\necho tested\n', { mode: 0o755 });
    await writeFile(join(this.project, 'VERSION'), '1.4.0\n');
    await this.run(
      "git add --all && git commit --quiet -m 'Begin' && git push --quiet origin HEAD:main",
      this.project,
    );
    await this.begin(branch);
  }

  /** Begins a branch with a change in the project. */
  async begin(branch: string): Promise<void> {
    await this.run(`git fetch --quiet && git switch --quiet --create ${branch} origin/main`, this.project);
    await writeFile(join(this.project, `${branch}.txt`), 'changed\n');
    await this.run(`git add --all && git commit --quiet -m 'Change ${branch}'`, this.project);
  }

  /** Types a command of README.md, as it stands there. @throws Error if it does not end with 0 */
  async type(command: string, cwd: string, onOutput?: (text: string) => void): Promise<string> {
    this.typed.add(withoutComment(command));
    return (await this.run(command.replaceAll(PRINTED_ADDRESS, this.address), cwd, onOutput)).stdout;
  }

  /** Types `plat cloud login`, opens the page that it names, and picks an account there. */
  async signIn(command: string, account: string): Promise<void> {
    let heard = '';
    let clicked: Promise<void> | undefined;
    await this.type(command, this.project, (text) => {
      heard += text;
      const page = /https?:\/\/\S+user_code=\S+/.exec(heard)?.[0];
      if (page !== undefined) clicked ??= approveDevice(page, account);
    });
    await clicked;
  }

  /** Types the command that starts the service, and waits until everything answers. */
  async startService(command: string): Promise<void> {
    this.typed.add(withoutComment(command));
    const typed = withoutComment(command);
    const line = `exec ${typed}${typed.includes(' -- ') ? '' : ' --'} --port 0 --ready-file '${this.readyFile}'`;
    // A group of its own, to which a terminal's Ctrl-C goes.
    this.service = spawn('/bin/sh', ['-c', line], {
      ...{ cwd: this.clone, env: this.environment, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    for (const output of [this.service.stdout, this.service.stderr]) {
      output?.on('data', (chunk: Buffer) => {
        this.heard += chunk.toString();
        this.onOutput();
      });
    }
    this.service.once('close', () => this.onEnd());
    await this.serviceAnswers();
  }

  /** Waits until the service, started or reloaded, says that everything answers. @returns its address */
  async serviceAnswers(): Promise<string> {
    await this.serviceSays('Ctrl-C stops everything.');
    this.address = (JSON.parse(await readFile(this.readyFile, 'utf8')) as { apiUrl: string }).apiUrl;
    return this.address;
  }

  /** Waits until the service prints a text, after the last one that was waited for. @throws Error if it ends before */
  async serviceSays(text: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.onOutput = () => {
        if (this.heard.includes(text)) resolve();
      };
      this.onEnd = () => reject(new Error(`The service ended:\n${this.heard}`));
      this.onOutput();
    });
    this.heard = this.heard.slice(this.heard.indexOf(text) + text.length);
  }

  /** Ctrl-C in the terminal of the service. It has ended once no process of it has its output open. */
  async stopService(): Promise<void> {
    const { service } = this;
    if (service?.pid === undefined) return;
    this.service = undefined;
    const closed = once(service, 'close');
    process.kill(-service.pid, 'SIGINT');
    await closed;
  }

  /** Kills a process of the service, and waits until none is left that has the service's output open. */
  async killInService(pid: number): Promise<void> {
    const { service } = this;
    if (service === undefined) throw new Error('No service was started.');
    this.service = undefined;
    const closed = once(service, 'close');
    process.kill(pid, 'SIGKILL');
    await closed;
  }

  /** Whether the service answers. */
  answers(): Promise<boolean> {
    return fetch(this.address).then(
      () => true,
      () => false,
    );
  }

  private get environment(): Record<string, string> {
    const home = join(this.folder, 'home');
    const path = [join(home, 'programs', 'bin'), dirname(process.execPath), PATH].join(':');
    return {
      PATH: path,
      HOME: home,
      TMPDIR: this.folder,
      npm_config_prefix: join(home, 'programs'),
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
      NX_DAEMON: 'false',
      NX_SOCKET_DIR: join(this.folder, 'nx'),
    };
  }

  private async run(command: string, cwd: string, onOutput?: (text: string) => void): Promise<PlatRun> {
    const child = spawn('/bin/sh', ['-c', command], {
      ...{ cwd, env: this.environment, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    for (const output of [child.stdout, child.stderr]) {
      output?.on('data', (chunk: Buffer) => onOutput?.(chunk.toString()));
    }
    const run = await waitForExit(child);
    if (run.code !== 0) throw new Error(`${command}\nended with ${run.code}:\n${run.stdout}${run.stderr}`);
    return run;
  }
}

/** Clones this checkout, with its changes that are in no commit yet, and links its packages. */
async function cloneWithChanges(clone: string): Promise<void> {
  const root = workspaceRoot();
  const own = (...args: string[]) => git(root, ['-c', 'safe.directory=*', ...args]);
  await own('clone', '--quiet', '--shared', root, clone);
  const changed = (await own('ls-files', '-z', '--modified', '--others', '--exclude-standard')).split('\0');
  for (const path of changed.filter((one) => one !== '')) {
    await rm(join(clone, path), { force: true });
    await cp(join(root, path), join(clone, path), { recursive: true }).catch(
      (error: NodeJS.ErrnoException) => {
        // The change may be that the file was deleted.
        if (error.code !== 'ENOENT') throw error;
      },
    );
  }
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
}
