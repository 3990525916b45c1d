import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { type Machine, PATH } from './plat-process';

/** One run of the double. */
export interface BuilderCall {
  argv: string[];
  /** Contents of its docker configuration, if it has one. */
  config?: string;
}

const RECORDED = join(__dirname, '..', 'build', 'recorded');

/**
 * A `docker` with buildx on a machine's PATH. It prints the recorded output of the real one: the test stage runs in the
 * first build, comes from the cache later, runs again without its cache, and fails if the project has a file FAIL. It
 * records the calls and pushes nothing.
 */
export class BuilderDouble {
  private constructor(private readonly folder: string) {}

  static async install(machine: Machine): Promise<BuilderDouble> {
    const double = new BuilderDouble(join(machine.home, 'bin'));
    await mkdir(double.folder);
    const program = join(double.folder, 'docker');
    await writeFile(program, `#!${process.execPath}\n${SCRIPT}`);
    await chmod(program, 0o755);
    return double;
  }

  /** Variables for the client's processes. */
  get variables() {
    return { PATH: `${this.folder}:${PATH}`, PLAT_TEST_RECORDED: RECORDED };
  }

  /** A PATH with nothing but the double and one other program. */
  async alone(beside: string): Promise<string> {
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', 'command -v "$1"', 'sh', beside], {
      env: { PATH },
    });
    await symlink(stdout.trim(), join(this.folder, beside));
    return this.folder;
  }

  /** Makes calls whose arguments begin with `beginning` fail with these words from now on. */
  async refuse(beginning: string, words: string): Promise<void> {
    await writeFile(join(this.folder, 'refusal.json'), JSON.stringify({ beginning, words }));
  }

  /** Makes the next call whose arguments begin with `beginning` kill the client with SIGKILL, and do nothing else. */
  async killClient(beginning: string): Promise<void> {
    await writeFile(join(this.folder, 'kill.json'), JSON.stringify({ beginning }));
  }

  /** The calls that do something, in order. */
  async calls(): Promise<BuilderCall[]> {
    const text = await readFile(join(this.folder, 'calls'), 'utf8').catch(() => '');
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as BuilderCall]));
  }
}

const SCRIPT = `
const { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const argv = process.argv.slice(2);
const line = argv.join(' ');
const own = (name) => join(__dirname, name);
const flag = (name) => argv.find((word) => word.startsWith(name + '='))?.slice(name.length + 1);
const refusal = existsSync(own('refusal.json')) ? JSON.parse(readFileSync(own('refusal.json'), 'utf8')) : undefined;
const isQuestion = argv.includes('version') || argv.includes('--version');
if (!isQuestion) {
  const folder = process.env.DOCKER_CONFIG;
  const config = folder && readFileSync(join(folder, 'config.json'), 'utf8');
  appendFileSync(own('calls'), JSON.stringify({ argv, config }) + '\\n');
}
const kill = existsSync(own('kill.json')) ? JSON.parse(readFileSync(own('kill.json'), 'utf8')) : undefined;
if (kill && line.startsWith(kill.beginning)) {
  rmSync(own('kill.json'));
  process.kill(process.ppid, 'SIGKILL');
} else if (refusal && line.startsWith(refusal.beginning)) {
  process.stderr.write(refusal.words + '\\n');
  process.exitCode = 1;
} else if (isQuestion) process.stdout.write('28.0.0\\n');
else if (line.startsWith('buildx build')) {
  const isFresh = flag('--no-cache-filter') === 'test' || !existsSync(own('cache'));
  const fails = existsSync(join(argv.at(-1), 'FAIL'));
  const name = fails ? 'failed' : flag('--target') ? 'gate' : isFresh ? 'executed' : 'replayed';
  process.stderr.write(readFileSync(join(process.env.PLAT_TEST_RECORDED, 'buildx-' + name + '.txt')));
  if (fails) process.exitCode = 1;
  else {
    writeFileSync(own('cache'), '');
    writeFileSync(flag('--iidfile'), 'sha256:' + 'a'.repeat(64));
  }
}
`;
