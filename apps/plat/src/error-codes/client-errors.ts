import { BUILD_ERRORS } from './build-errors';
import { CHECKOUT_ERRORS } from './checkout-errors';
import { CLUSTER_ERRORS } from './cluster-errors';
import { COMMAND_ERRORS } from './command-errors';
import { ENVIRONMENT_ERRORS } from './environment-errors';
import { FORGE_ERRORS } from './forge-errors';
import { LANDING_ERRORS } from './landing-errors';
import { LOG_ERRORS } from './log-errors';
import { REVIEW_ERRORS } from './review-errors';
import { SESSION_ERRORS } from './session-errors';

/**
 * The one registry of the client's own error codes, by what they are about. `docs/errors.md` has each with its meaning from
 * here, and with the messages and next steps from the places that throw it. Commands load none of it: they use its type.
 */
export const CLIENT_ERRORS = {
  'The checkout': CHECKOUT_ERRORS,
  'Merge, gate and push': LANDING_ERRORS,
  Builds: BUILD_ERRORS,
  'Reviews and users': REVIEW_ERRORS,
  'The forge': FORGE_ERRORS,
  'Sign-in and calls': SESSION_ERRORS,
  Environments: ENVIRONMENT_ERRORS,
  'The cluster': CLUSTER_ERRORS,
  'Sealed log and receipts': LOG_ERRORS,
  'The command line': COMMAND_ERRORS,
} satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type Groups = typeof CLIENT_ERRORS;

/** A code with which the client itself refuses or fails. */
export type ClientErrorCode = { [Title in keyof Groups]: keyof Groups[Title] }[keyof Groups];
