import { defined } from '@plat/contracts/core';
import type { FailureCode } from '../error-codes/failure-code';
import { ExitCode } from './exit-codes';
import { type NextStep } from './next-step';

/** The facts of a failure besides its message. */
export interface FailureFacts {
  /** Machine-readable values; with `--json` they are the `details` of the one printed object. */
  details?: Record<string, unknown>;
  /** The next command or action, as a person would type it. Lint demands a literal, or a step of `nextStep`. */
  next?: string;
  /** The message for a person who has seen the command's output already; default: the message. */
  brief?: string | undefined;
  /** Id of the refused request, with which the service's log can be searched. */
  requestId?: string;
  /** Default: `ExitCode.failed`. */
  exitCode?: ExitCode;
}

/** A failure that the user can act on: message, reason and next step. Any other error is a defect of the client. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  readonly next?: NextStep;
  readonly requestId?: string;
  readonly brief?: string;
  private readonly facts: Record<string, unknown>;

  constructor(
    readonly code: FailureCode,
    message: string,
    facts: FailureFacts = {},
  ) {
    super(message);
    this.name = 'Failure';
    this.exitCode = facts.exitCode ?? ExitCode.failed;
    this.next = facts.next as NextStep | undefined;
    this.requestId = facts.requestId;
    this.brief = facts.brief;
    this.facts = facts.details ?? {};
  }

  /** The facts, the request id and the next step; undefined if there are none. */
  get details(): Record<string, unknown> | undefined {
    const all = defined<unknown>({ ...this.facts, requestId: this.requestId, next: this.next });
    return Object.keys(all).length === 0 ? undefined : all;
  }
}
