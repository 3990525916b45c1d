import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { approveDevice } from '@plat/testing';

interface ProcessOptions {
  /** Called with the process's id once it has started. */
  onStart?(pid: number): void;
  /** Called with each piece of stderr as it comes. */
  onStderr?(text: string): void;
}

/** A home directory in which the client runs, without anything of the machine's real user. */
export class Person {
  private constructor(
    readonly home: string,
    private readonly client: string,
  ) {}

  /** @param client path of the built client */
  static async create(folder: string, client: string): Promise<Person> {
    const home = join(folder, 'home');
    await mkdir(home, { recursive: true });
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

  /** Runs the client and returns its stdout. @throws Error with its output if it fails */
  plat(args: readonly string[], { onStart, onStderr }: ProcessOptions = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      const env = { PATH: process.env.PATH, HOME: this.home, GIT_CONFIG_NOSYSTEM: '1' };
      const child = spawn(process.execPath, [this.client, ...args], {
        cwd: this.home,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
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
        else reject(new Error(`plat ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`));
      });
    });
  }
}
