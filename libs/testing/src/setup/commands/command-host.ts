import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fork } from '../../starter/child-process';
import type { CommandRun } from './execute';
import type { HostedCommand } from './hosted-command';

/** A process that runs command lines, one at a time. */
export class CommandHost {
  private readonly stdout = new Output();
  private readonly stderr = new Output();
  private readonly child;
  isBusy = false;
  hasEnded = false;

  constructor([program, ...args]: HostedCommand['host']) {
    this.child = fork(program, args, {
      cwd: sep,
      // It names a folder of the run, by which the processes of a run are found.
      env: { TMPDIR: tmpdir() },
      execArgv: [],
      stdio: ['ignore', this.stdout.file, this.stderr.file, 'ipc'],
    });
    this.child.once('exit', () => (this.hasEnded = true));
  }

  /** Runs the command line to its end; -1 if a signal ended the process. */
  async run({ host: _host, ...line }: HostedCommand): Promise<CommandRun> {
    this.isBusy = true;
    this.stdout.forget();
    this.stderr.forget();
    const code = await new Promise<number>((resolve) => {
      const onExit = (ended: number | null) => resolve(ended ?? -1);
      this.child.once('exit', onExit);
      this.child.once('message', (ended) => {
        this.child.off('exit', onExit);
        resolve(ended as number);
      });
      this.child.send(line);
    });
    this.child.removeAllListeners('message');
    const run = { code, stdout: this.stdout.read(), stderr: this.stderr.read() };
    this.isBusy = false;
    if (this.hasEnded) this.close();
    return run;
  }

  /** Closes the connection, at which the program ends. */
  stop(): void {
    if (this.child.connected) this.child.disconnect();
    if (!this.hasEnded) this.close();
  }

  private close(): void {
    this.stdout.close();
    this.stderr.close();
  }
}

/** A file without a name, which the program and its children write. */
class Output {
  readonly file: number;
  private at = 0;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'plat-output-'));
    this.file = openSync(join(folder, 'output'), 'a+', 0o600);
    rmSync(folder, { recursive: true });
  }

  /** Leaves out what has been written so far. */
  forget(): void {
    this.at = fstatSync(this.file).size;
  }

  read(): string {
    const bytes = Buffer.alloc(fstatSync(this.file).size - this.at);
    readSync(this.file, bytes, 0, bytes.length, this.at);
    return bytes.toString('utf8');
  }

  close(): void {
    closeSync(this.file);
  }
}
