import { type NextStep, nextStep } from '../terminal/next-step';

/** A gate run without a verdict, and what this machine knows of the drive that began it. */
export interface HeldRun {
  gateRunId: string;
  targetBranch: string;
  /** Who gates, as the platform has it; absent if the run was reported by hand. */
  holder?: string | undefined;
  since: string;
  /**
   * RUNNING and ENDED are read in the checkout of the drive, which is on this machine. UNKNOWN: it is on another one, or
   * no longer there. The platform hears nothing from a drive between the beginning of a gate and its verdict.
   */
  drive: 'RUNNING' | 'ENDED' | 'UNKNOWN';
  /** The checkout of the drive; present unless UNKNOWN. */
  folder?: string | undefined;
  /** Whether that is the checkout at hand. */
  isHere?: boolean | undefined;
}

/** The drive behind a gate run, in words. */
export function heldRunText(
  { drive, folder, holder, since, isHere }: HeldRun,
  time: (at: string) => string,
): string {
  const where = isHere ? 'of this checkout' : `in ${folder}`;
  switch (drive) {
    case 'RUNNING':
      return `the drive ${where} is at work on the gate run since ${time(since)}`;
    case 'ENDED':
      return `the drive ${where} that began the gate run ${time(since)} has ended without a verdict`;
    case 'UNKNOWN': {
      const who = holder ?? 'someone who gates by hand';
      return `the gate run was begun ${time(since)} by ${who}; whether that drive still runs cannot be seen from here`;
    }
  }
}

/** How to go on with the review that is gated. */
export function nextOfHeldRun({ drive, holder, targetBranch, isHere }: HeldRun, reviewId: string): NextStep {
  const command = ['plat', 'drive', '--target-branch', targetBranch];
  const wait = nextStep('plat review wait', [reviewId]);
  switch (drive) {
    case 'RUNNING':
      return wait;
    case 'ENDED':
      // A drive of the same checkout goes on by itself.
      return nextStep(isHere ? command : [...command, '--take-over']);
    case 'UNKNOWN': {
      const who = holder === undefined ? nextStep('its holder') : nextStep([holder]);
      return nextStep(wait, '; if', who, 'is gone:', [...command, '--take-over']);
    }
  }
}
