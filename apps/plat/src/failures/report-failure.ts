import { nearest } from '@plat/local';
import { foreignCode } from '../error-codes/failure-code';
import type { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { printableLine, printableText, withoutCredentials } from '../terminal/printable';
import type { Terminal } from '../terminal/terminal';
import { apiFailure } from './api-failure';

/**
 * Reports an error of a command and returns the exit code: one JSON object on stdout with `--json`, otherwise the
 * message, the reason and the next step on stderr. Spec: Client, Errors; Rule G2.
 */
export function reportFailure(error: unknown, json: boolean, terminal: Terminal): ExitCode {
  const failure = toFailure(error);
  const message = withoutCredentials(failure.message);
  if (json) {
    const { code, exitCode } = failure;
    const details = failure.details && withoutCredentialsIn(failure.details);
    terminal.json({ code, message, details, exitCode });
    return exitCode;
  }
  const { red, dim } = terminal.style;
  const shown =
    failure.brief === undefined
      ? indented(printableText(message))
      : printableText(withoutCredentials(failure.brief));
  terminal.note(`${red('error')} ${printableLine(failure.code)}: ${shown}`);
  if (failure.next !== undefined) {
    terminal.note(`next: ${printableText(withoutCredentials(failure.next)) as NextStep}`);
  }
  if (failure.requestId !== undefined) terminal.note(dim(`request ${printableLine(failure.requestId)}`));
  return failure.exitCode;
}

/** The text with its further lines indented: a server's words could begin one like a next step of this client. */
const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** Removes user names and passwords from the details. Their pattern excludes quotes, so it cannot span two values. */
function withoutCredentialsIn(details: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(withoutCredentials(JSON.stringify(details))) as Record<string, unknown>;
}

/** The next step for an error of the system, by its code. */
const SYSTEM_NEXT: Readonly<Record<string, NextStep>> = {
  ENOSPC: nextStep('free some space on the disk, then repeat the command'),
  EDQUOT: nextStep('free some space within your quota, then repeat the command'),
  EACCES: nextStep(
    'make the path accessible to your user; HOME and XDG_CONFIG_HOME say where plat keeps its files',
  ),
  EPERM: nextStep(
    'make the path accessible to your user; HOME and XDG_CONFIG_HOME say where plat keeps its files',
  ),
  EROFS: nextStep('set HOME, or XDG_CONFIG_HOME, to a folder that can be written'),
  ENOTDIR: nextStep('check HOME and XDG_CONFIG_HOME'),
  uv_cwd: nextStep('the folder that you are in is gone: change into another'),
};

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return withoutParser(error);
  const refusal = apiFailure(error);
  if (refusal) return refusal;
  if (isUsageError(error)) return usageFailure(error);
  const system = error as NodeJS.ErrnoException;
  if (error instanceof Error && system.syscall && system.code) {
    return new Failure(foreignCode(system.code), `${error.message}.`, {
      next: SYSTEM_NEXT[system.syscall] ?? SYSTEM_NEXT[system.code],
    });
  }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Failure('INTERNAL_ERROR', `plat failed unexpectedly. ${what}`, {
    next: 'report this with the command that was run',
  });
}

/** If a flag refuses its value, oclif's parser puts this text around the flag's message. */
const OF_A_FLAG = /^Parsing (--\S+) \n\t([^]*)\nSee more help with --help$/;

function withoutParser(failure: Failure): Failure {
  failure.message = failure.message.replace(OF_A_FLAG, '$1 $2');
  return failure;
}

interface KnownFlag {
  aliases?: readonly string[];
  /** Whether `no-` may be put before it. */
  allowNo?: boolean;
}

/** An error that oclif marks as the user's. For an unknown flag it lists the known ones. */
interface UsageError extends Error {
  flags?: unknown;
  parse?: {
    input?: { argv?: readonly string[]; flags?: Readonly<Record<string, KnownFlag>> };
  };
}

function isUsageError(error: unknown): error is UsageError {
  return error instanceof Error && 'oclif' in error;
}

/** The note on flags with several values that oclif adds to a missing argument, whether or not the flags were given. */
const NOTE_OF_MULTIPLE = /\n\nNote: (--.*) allows? multiple values\.[^]*$/;

/** Removes everything but the fault from a message of oclif's parser. */
function usageFailure(error: UsageError): Failure {
  const bare = error.message
    .replace(/^The following errors? occurred:\n\s*/, '')
    .replace(/\nSee more help with --help$/, '')
    .replace(NOTE_OF_MULTIPLE, (note, flags: string) => (wereGiven(error, flags.split(', ')) ? note : ''));
  const meant = flagMeant(error);
  return new Failure('USAGE', bare, {
    next:
      meant === undefined
        ? 'repeat the command with --help'
        : nextStep('repeat the command with', [`--${meant}`], ', or with --help'),
  });
}

function wereGiven({ parse }: UsageError, flags: readonly string[]): boolean {
  const argv = parse?.input?.argv ?? [];
  return flags.some((flag) => argv.some((word) => word === flag || word.startsWith(`${flag}=`)));
}

/** The flag that an unknown one most likely stands for. */
function flagMeant({ flags, parse }: UsageError): string | undefined {
  const unknown: unknown = Array.isArray(flags) ? flags[0] : undefined;
  if (typeof unknown !== 'string' || !unknown.startsWith('--')) return undefined;
  const [name = ''] = unknown.slice(2).split('=');
  const known = Object.entries(parse?.input?.flags ?? {});
  return nearest(
    name,
    known.flatMap(([flag, { aliases = [], allowNo }]) => [
      ...(allowNo ? [`no-${flag}`] : []),
      flag,
      ...aliases,
    ]),
  );
}
