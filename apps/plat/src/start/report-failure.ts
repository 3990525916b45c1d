import { apiFailure } from '../session/api-failure';
import { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';
import { printableText, withoutUserinfo } from '../terminal/printable';
import type { Terminal } from '../terminal/terminal';

/**
 * Reports what a command threw and returns the exit code: one JSON object on stdout with `--json`,
 * else what, why and the next step on stderr. Spec: Client, Errors; Decision G2.
 */
export function reportFailure(error: unknown, json: boolean, terminal: Terminal): ExitCode {
  const failure = toFailure(error);
  const message = withoutUserinfo(failure.message);
  if (json) {
    const { code, details, exitCode } = failure;
    terminal.json({ code, message, ...(details === undefined ? {} : { details }), exitCode });
    return exitCode;
  }
  const { red, dim } = terminal.style;
  terminal.note(`${red('error:')} ${printableText(message)}`);
  if (failure.next !== undefined) terminal.note(`next: ${printableText(failure.next)}`);
  const facts = [failure.code, failure.requestId && `request ${printableText(failure.requestId)}`];
  terminal.note(dim(facts.filter(Boolean).join(', ')));
  return failure.exitCode;
}

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const refusal = apiFailure(error);
  if (refusal) return refusal;
  if (isUsageError(error)) return usageFailure(error.message);
  const system = error as NodeJS.ErrnoException;
  if (error instanceof Error && system.syscall && system.code)
    return new Failure(system.code, error.message, { exitCode: ExitCode.failed });
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Failure('INTERNAL_ERROR', `plat failed unexpectedly. ${what}`, {
    next: 'report this with the command that was run',
  });
}

/** What oclif throws it marks; the message of its parser ends with a hint of its own. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && 'oclif' in error;
}

function usageFailure(message: string): Failure {
  const bare = message
    .replace(/^The following errors? occurred:\n\s*/, '')
    .replace(/\nSee more help with --help$/, '');
  return new Failure('USAGE', bare, {
    next: 'repeat the command with --help',
  });
}
