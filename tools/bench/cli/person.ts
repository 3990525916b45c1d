import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { approveDevice } from '@plat/testing';

const GIT_CONFIG = '[user]\n\tname = Bench\n\temail = bench@example.com\n[init]\n\tdefaultBranch = main\n';

export interface ProcessOptions {
  /** Default: the home. */
  folder?: string;
  /** Written to stdin. Default: nothing. */
  input?: string;
  /** Called with the process's id once it has started. */
  onStart?(pid: number): void;
  /** Called with each piece of stderr as it comes. */
  onStderr?(text: string): void;
}

/** A home directory in which programs run, without anything of the machine's real user. */
export class Person {
  private constructor(
    readonly home: string,
    private readonly client: string,
  ) {}

  /** @param client path of the built client */
  static async create(folder: string, client: string): Promise<Person> {
    const home = join(folder, 'home');
    await mkdir(home, { recursive: true });
    await writeFile(join(home, '.gitconfig'), GIT_CONFIG);
    return new Person(home, client);
  }

  /** Configures the platform's URL, and signs in on the page of the local identity provider. */
  async signIn(apiUrl: string): Promise<void> {
    await this.plat(['cloud', 'init', 'bench', '--api-url', apiUrl]);
    let heard = '';
    let clicked: Promise<void> | undefined;
    const onStderr = (text: string) => {
      heard += text;
      const page = /https?:\/\/\S+user_code=\S+/.exec(heard)?.[0];
      if (page) clicked ??= approveDevice(page, 'alice');
    };
    await this.plat(['cloud', 'login', '--no-browser'], { onStderr });
    await clicked;
  }

  async createReview(sourceBranch: string): Promise<void> {
    const flags = [
      '--name',
      `Merge ${sourceBranch}`,
      '--source-branch',
      sourceBranch,
      '--target-branch',
      'main',
    ];
    await this.plat(['review', 'create', ...flags, '--repository', 'https://git.example.com/bench/app']);
  }

  /** Runs the client and returns its stdout. @throws Error if it fails */
  plat(args: readonly string[], options: ProcessOptions = {}): Promise<string> {
    return this.node([this.client, ...args], options);
  }

  node(args: readonly string[], options: ProcessOptions = {}): Promise<string> {
    return this.run(process.execPath, args, options);
  }

  /** Runs a program to its end and returns its stdout. @throws Error with the program's output if it fails */
  run(program: string, args: readonly string[], options: ProcessOptions = {}): Promise<string> {
    const { folder = this.home, input = '', onStart, onStderr } = options;
    return new Promise((resolve, reject) => {
      const env = { PATH: process.env.PATH, HOME: this.home, GIT_CONFIG_NOSYSTEM: '1' };
      const child = spawn(program, args, { cwd: folder, env });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
        onStderr?.(chunk.toString());
      });
      child.once('error', reject);
      if (child.pid !== undefined) onStart?.(child.pid);
      child.once('close', (code) => {
        if (code === 0) resolve(stdout);
        else reject(new Error(`${program} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`));
      });
      child.stdin.end(input);
    });
  }
}
