/** @peers zsh fish */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { peer } from '@plat/testing';
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
});
