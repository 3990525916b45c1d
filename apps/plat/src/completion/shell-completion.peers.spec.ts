/** @peers zsh fish */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile, peer } from '@plat/testing';
import { HostileNames } from '../black-box/hostile-names';
import { Machine, PATH } from '../black-box/plat-process';

/** Types each line into a zsh on a terminal of its own, presses the tab key, and prints the resulting line. */
const IN_ZSH = String.raw`
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "unset zle_bracketed_paste; source $1; show() { print -r -- \"<\$BUFFER>\"; BUFFER= }; zle -N show
bindkey '^X' show; print READY''NOW"
zpty -r shell said '*READYNOW*'
shift
for typed; do
  zpty -w -n shell "$typed"$'\t\C-x'
  zpty -r shell said '*<*>*'
  [[ $said =~ '<([^>]*)>' ]] && print -r -- $match[1]
done
zpty -d shell
`;

/** Prints fish's offers for each line, without their descriptions. */
const IN_FISH = String.raw`
source $argv[1]
for typed in $argv[2..]
  string join ' ' -- (complete --do-complete "$typed" | string replace -r '\t.*' '')
end
# string ends with 1 if it replaced nothing.
exit 0
`;

/**
 * Starts the shell on a terminal of its own, types the beginning of each line, presses the tab key and then enter, and
 * prints the last argument that the command got.
 */
const RUN_LINES = String.raw`
zmodload zsh/zpty
zpty shell "$1"
zpty -w shell "$2; echo READY''NOW"
zpty -r shell said '*READYNOW*'
shift 2
for typed; do
  zpty -w -n shell "$typed"$'\t'
  # fish inserts the completion in its own time, and takes the enter key after it.
  zpty -w -n shell $'\r'
  zpty -r shell said '*RAN<:*:END>*'
  [[ $said =~ 'RAN<:(.*):END>' ]] && print -r -- $match[1]
done
zpty -d shell
`;

const INTERACTIVE = {
  bash: 'bash --norc --noprofile -i',
  zsh: 'zsh -f -i',
  fish: 'fish --no-config -i',
};

const PROBES = {
  zsh: { withoutConfig: '-f', script: IN_ZSH },
  fish: { withoutConfig: '--no-config', script: IN_FISH },
};

describe('plat completion, in the shell itself', () => {
  let machine: Machine;
  beforeAll(async () => (machine = await Machine.create()));
  afterAll(() => machine.remove());

  /** The shell's result for each line, for a user who has set up nothing but the completion. */
  async function inShell(shell: keyof typeof PROBES, typed: string[]): Promise<string[]> {
    const { stdout: script } = await machine.plat(['completion', shell]);
    const [file, prober] = [join(machine.home, `plat.${shell}`), join(machine.home, `probe.${shell}`)];
    await Promise.all([writeFile(file, script), writeFile(prober, PROBES[shell].script)]);
    const { stdout } = await promisify(execFile)(
      peer(shell),
      [PROBES[shell].withoutConfig, prober, file, ...typed],
      {
        cwd: machine.home,
        env: { PATH, HOME: machine.home, TERM: 'dumb' },
      },
    );
    return stdout.replace(/\n$/, '').split('\n');
  }

  it('completes words and flags in zsh', async () => {
    const typed = [
      'plat rev',
      'plat review queue ov',
      'plat review list --status READY --target-b',
      'plat review list --status REA',
    ];
    expect(await inShell('zsh', typed)).toEqual([
      'plat review ',
      'plat review queue override-advance ',
      'plat review list --status READY --target-branch ',
      'plat review list --status READY ',
    ]);
  });

  it('offers the next words in fish, and no others', async () => {
    const typed = [
      'plat rev',
      'plat review queue ',
      'plat review queue list --target-b',
      'plat exec job st',
      'plat review list --status M',
    ];
    expect(await inShell('fish', typed)).toEqual([
      'review',
      'advance list override-advance show stats',
      '--target-branch',
      'start',
      'MERGE MERGED',
    ]);
  });

  it.each(Object.keys(INTERACTIVE) as Array<keyof typeof INTERACTIVE>)(
    'inserts a name from outside into the line of %s as text',
    async (shell) => {
      const names = await HostileNames.create(machine);
      const { stdout: script } = await machine.plat(['completion', shell]);
      const [file, prober] = [join(machine.home, `plat.${shell}`), join(machine.home, 'run-lines.zsh')];
      await Promise.all([writeFile(file, script), writeFile(prober, RUN_LINES)]);
      const lines = names.places.flatMap(([place, offered]) =>
        offered
          .filter((name) => /^[a-z]/.test(name))
          .map((name) => ({ name, typed: ['plat', ...place, name.slice(0, 1)].join(' ') })),
      );
      const program = shell === 'bash' ? shell : peer(shell);
      const { stdout } = await promisify(execFile)(
        peer('zsh'),
        [
          '-f',
          prober,
          INTERACTIVE[shell].replace(shell, program),
          `source ${file}`,
          ...lines.map(({ typed }) => typed),
        ],
        { cwd: names.folder, env: { ...names.environment, TERM: 'dumb' } },
      );
      expect(stdout.trimEnd().split('\n')).toEqual(lines.map(({ name }) => name));
      expect(await names.touched()).toEqual([]);
    },
  );
});
