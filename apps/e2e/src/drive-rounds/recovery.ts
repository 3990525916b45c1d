import type { Random } from '@plat/testing';
import type { DriveStand, PlatRun } from '../drive-stand';
import type { Round, Started } from './disturbances';
import { type PrintedWay, readPrintedWays } from './printed-steps';
import { GATE, type Place, type RoundWorld } from './round-world';

/** Most commands of one recovery. A recovery that needs more makes no progress. */
const COMMANDS_MAX = 12;

interface Answer {
  /** The reviews of a drive that took the queue to its end. */
  reviews?: unknown[];
  /** The code of a failure. */
  code?: string;
  message?: string;
  details?: { next?: string; reviewId?: string; reviews?: unknown[] };
}

/**
 * Continues in each checkout that the round used as a person does who types the next step of its last command, word by
 * word, until no review waits.
 *
 * @throws Error if the next step of a state does not lead out of it
 */
export async function recover({ stand, world, random, started }: Round): Promise<PlatRun[]> {
  const runs: PlatRun[] = [];
  for (const place of world.places) {
    const own = started.filter((one) => one.place === place);
    if (own.length === 0) continue;
    await takeBackGateMerge(place);
    const recovery = new Recovery(stand, { world, place, random });
    await recovery.run(await lastDrive(own));
    runs.push(...recovery.runs);
  }
  return runs;
}

/** Removes the remains of a killed gate-merge by hand from the checkout. Drives do not touch the checkout. */
async function takeBackGateMerge({ checkout }: Place): Promise<void> {
  if ((await checkout.git('status', '--porcelain')) === '') return;
  await checkout.git('stash', '--include-untracked').catch(() => checkout.git('reset', '--quiet', '--hard'));
}

/** The output of the last drive of the round in a checkout; undefined if it was killed before it could print. */
async function lastDrive(started: readonly Started[]): Promise<Answer | undefined> {
  const run = await started.filter(({ args }) => args[0] === 'drive').at(-1)?.run;
  return run?.stdout ? (JSON.parse(run.stdout) as Answer) : undefined;
}

class Recovery {
  readonly runs: PlatRun[] = [];
  private readonly drive: string;

  constructor(
    private readonly stand: DriveStand,
    private readonly at: { world: RoundWorld; place: Place; random: Random },
  ) {
    const gate = at.world.gatePlace === 'flag' ? ` --gate-command '${GATE}'` : '';
    this.drive = `plat drive --target-branch main${gate}`;
  }

  /** @param before the output of the drive that the person saw last */
  async run(before: Answer | undefined): Promise<void> {
    let state = before?.code === undefined ? await this.type(this.drive) : before;
    let isStale = state === before;
    while (state.code !== undefined) {
      const stopped = state;
      state = await this.typeNextOf(stopped);
      // Others have continued since a drive of the round ended, so its next step may be done already.
      if (!isStale && isSame(stopped, state)) throw this.stuck(state);
      isStale = false;
    }
  }

  /** Types one of the ways that the state prints, and drives again. */
  private async typeNextOf({ details }: Answer): Promise<Answer> {
    const ways = readPrintedWays(details?.next ?? '').filter(isTyped);
    const { commands } = ways.length === 0 ? NO_COMMAND : this.at.random.pick(ways);
    for (const command of commands) {
      const answer = await this.type(command);
      if (/^plat drive (?!.*--give-up)/.test(command)) return answer;
    }
    return this.type(this.drive);
  }

  /** Types a line as it was printed. */
  private async type(line: string): Promise<Answer> {
    const { place } = this.at;
    if (this.runs.length >= COMMANDS_MAX) throw this.stuck(undefined);
    // The round's own gate commits or changes files now and then: a person corrects such a gate first.
    const corrected = line.replace(/--gate-command '(?:[^']|'\\'')*'/, `--gate-command '${GATE}'`);
    const asks = corrected.startsWith('plat ') ? `${corrected} --json` : corrected;
    const run = await this.stand.type(asks, place.checkout.folder, place.machine);
    this.runs.push(run);
    return line.startsWith('plat drive') ? (JSON.parse(run.stdout) as Answer) : {};
  }

  private stuck(state: Answer | undefined): Error {
    const { place, world } = this.at;
    const said = state === undefined ? this.runs.map(({ stdout }) => stdout) : [JSON.stringify(state)];
    return new Error(
      `${place.name} of a repository with its gate in ${world.gatePlace}: no way out.\n${said.join('\n')}`,
    );
  }
}

/** A next step that has words alone, such as that the rules of origin can be changed: the drive is repeated. */
const NO_COMMAND: PrintedWay = { commands: [], repeats: true };

/** Nothing is at work any more when a person recovers, so no command waits for it. */
const isTyped = ({ commands, repeats }: PrintedWay): boolean =>
  (repeats || commands.length > 0) && !commands.some((command) => command.startsWith('plat review wait'));

/** Whether a drive stopped as the one before it, at the same review, and took none to its end. */
function isSame(before: Answer, { code, details }: Answer): boolean {
  if (code === undefined || code !== before.code) return false;
  return (details?.reviews ?? []).length === 0 && details?.reviewId === before.details?.reviewId;
}
