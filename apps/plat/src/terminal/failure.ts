import { ExitCode } from './exit-codes';

/** What a failure tells beside its message. */
export interface FailureFacts {
  /** Machine-readable values; with `--json` they are the `details` of the one object printed. */
  details?: Record<string, unknown>;
  /** The command or action that leads on, as a person would type it. */
  next?: string;
  /** The message for a person who has seen already what the command printed; default: the message. */
  brief?: string | undefined;
  /** Id of the refused request, by which the service's log is searched. */
  requestId?: string;
  /** Default: `ExitCode.failed`. */
  exitCode?: ExitCode;
}

/** A failure that the user can act on: what, why, and the next step. Anything else that is thrown is our bug. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  readonly next?: string;
  readonly requestId?: string;
  readonly brief?: string;
  private readonly facts: Record<string, unknown>;

  constructor(
    readonly code: string,
    message: string,
    facts: FailureFacts = {},
  ) {
    super(message);
    this.name = 'Failure';
    this.exitCode = facts.exitCode ?? ExitCode.failed;
    this.next = facts.next;
    this.requestId = facts.requestId;
    this.brief = facts.brief;
    this.facts = facts.details ?? {};
  }

  /** The facts, the request id and the next step, or undefined when there is none of them. */
  get details(): Record<string, unknown> | undefined {
    const all = {
      ...this.facts,
      ...(this.requestId === undefined ? {} : { requestId: this.requestId }),
      ...(this.next === undefined ? {} : { next: this.next }),
    };
    return Object.keys(all).length === 0 ? undefined : all;
  }
}
