import { chmod, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '@plat/testing';
import { type Machine, PATH } from './plat-process';

/** A command that leaves a file behind, without a space, which git admits in no name of a branch. */
const TOUCH = 'touch${IFS}$HOME/touched/$$';

/** Names that a shell would run, expand or split, each a valid name of a branch. */
export const SHELL_NAMES = {
  substitution: `x$(${TOUCH})`,
  backticks: `y\`${TOUCH}\``,
  zshQualifier: `src(e,${TOUCH},)`,
  sequence: `o;${TOUCH};`,
  background: `b&${TOUCH}&`,
  pipe: `c|${TOUCH}|`,
  process: `d<(${TOUCH})`,
  quotes: `e'$(${TOUCH})'"$(${TOUCH})"`,
  braces: 'f{1,2}',
  variable: '$HOME',
  history: 'g!!',
  equals: 'h=i$(id)@j',
  comment: '#k',
} as const;

/** Names that git refuses, but no file of a configuration does. */
const WIDER_NAMES = [`l $(${TOUCH}) m`, '~', '~root', '* ', 'n\\', '?', 'arn:aws:eks:one:two/x'];

/** Lists the aliases, and otherwise prints its last argument between two signs that no shell echoes together. */
const PLAT = `[ "$*" = "cloud status --all" ] && exec cat "$HOME/offered"
for last; do :; done
printf 'RAN%s:%s:END%s\\n' '<' "$last" '>'`;

/** A machine on which branches, aliases and contexts have names that were chosen to run a command. */
export class HostileNames {
  private constructor(private readonly root: string) {}

  static async create(machine: Machine): Promise<HostileNames> {
    const names = new HostileNames(await mkdtemp(join(machine.home, 'names-')));
    await Promise.all(['touched', 'bin', 'src', 'checkout'].map((one) => mkdir(join(names.root, one))));
    await writeFile(join(names.root, 'offered'), `${names.configured.join('\n')}\n`);
    await names.program('plat', PLAT);
    await names.program('kubectl', `[ "$*" = "config get-contexts -o name" ] && cat "$HOME/offered"`);
    await names.git('init', '--quiet', '--initial-branch=main');
    await names.git(
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'one',
    );
    for (const name of Object.values(SHELL_NAMES)) await names.git('branch', '--', name);
    return names;
  }

  get folder(): string {
    return join(this.root, 'checkout');
  }

  /** The variables of a shell on this machine. */
  get environment(): Record<string, string> {
    return { HOME: this.root, PATH: `${join(this.root, 'bin')}:${PATH}` };
  }

  /** The words before a place at which each kind of names is offered, with the names. */
  get places(): Array<[place: string[], names: string[]]> {
    return [
      [
        ['review', 'create', '--source-branch'],
        [...Object.values(SHELL_NAMES), 'main'],
      ],
      [['cloud', 'status', '--alias'], this.configured],
      [['cloud', 'use'], this.configured],
      [['init', '--kubernetes-context'], this.configured],
    ];
  }

  /** The files that a name left behind when it ran. */
  async touched(): Promise<string[]> {
    return readdir(join(this.root, 'touched'));
  }

  private get configured(): string[] {
    return [...Object.values(SHELL_NAMES), ...WIDER_NAMES];
  }

  private async program(name: string, script: string): Promise<void> {
    const file = join(this.root, 'bin', name);
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
  }

  private async git(...args: string[]): Promise<void> {
    const env = { ...this.environment, GIT_CONFIG_NOSYSTEM: '1' };
    const { code, stderr } = await runCommand({ program: 'git', args, cwd: this.folder, env });
    if (code !== 0) throw new Error(`git ${args.join(' ')}: exit ${code}\n${stderr}`);
  }
}
