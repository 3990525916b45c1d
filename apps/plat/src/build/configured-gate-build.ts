import { commitOf } from '../checkout/checkout';
import { PROJECT_FILE, readConfiguredGate, targetOfCheckout } from '../gate/configured-gate';
import { runGateByHand } from '../gate/gate-by-hand';
import { type GateCommand, runGateCommand } from '../gate/gate-command';
import { type Git, gitIn } from '../git/git';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { printableLine } from '../terminal/printable';
import { findProject } from './project';
import { type Tested, testedText } from './tested';

/** The result of `plat build --gate` in a project whose file names a command: nothing is built. */
export interface GatedByCommand {
  commitId?: string | undefined;
  gate: true;
  tested: Tested;
}

/** A checkout whose gate is a command. */
export interface ConfiguredGate {
  git: Git;
  command: string;
}

/**
 * The gate that the project's own file names on the target branch, for the checkout of the folder.
 *
 * @throws Failure CONFIG_UNREADABLE, CONFIG_INVALID
 */
export async function findConfiguredGate(
  folder: string,
  repositoryFolder: string | undefined,
): Promise<ConfiguredGate | undefined> {
  const project = await findProject(folder, repositoryFolder);
  if (project.commitId === undefined) return undefined;
  const git = gitIn(project.folder);
  const target = await targetOfCheckout(git);
  const command = target && (await readConfiguredGate(git, target));
  return command ? { git, command } : undefined;
}

/** Runs the configured gate on what is checked out, and notes how it ended. @throws Failure GATE_FAILED */
export async function runConfiguredGate(
  { git, command }: ConfiguredGate,
  run: Pick<GateCommand, 'passed' | 'interrupted' | 'output'> & { note(line: string): void },
): Promise<GatedByCommand> {
  const { passed, interrupted, output, note } = run;
  const gate = async (): Promise<GatedByCommand> => {
    const source = nextStep('the command in the block gate of', [PROJECT_FILE], 'on the target branch');
    const detail = await runGateCommand({ command, source, folder: git.folder, passed, interrupted, output });
    if (detail !== undefined) throw gateFailed(detail);
    const tested = { stages: [], untestedImages: [], program: command };
    return { commitId: await commitOf(git, 'HEAD'), gate: true, tested };
  };
  return runGateByHand({ git, gate, isVerdict, note });
}

/** The command that tested the commit. */
export function gatedView({ commitId = 'the checkout', tested }: GatedByCommand): string {
  return printableLine(`${commitId} is tested by ${testedText(tested)}`);
}

function gateFailed(detail: string): Failure {
  return new Failure('GATE_FAILED', detail, {
    brief: `${detail.split('\n')[0] ?? ''} Its output is above.`,
    next: 'correct the reported problem, then repeat the command',
  });
}

const isVerdict = (error: unknown): boolean => error instanceof Failure && error.code === 'GATE_FAILED';
