// Written by `npm run generate` from the service's controllers. Do not edit.
import { REVIEWS_ANSWERS } from './reviews';
import { BUILDS_ANSWERS } from './builds';
import { RELEASES_ANSWERS } from './releases';
import { AUDIT_ANSWERS } from './audit';
import { PLATFORM_ANSWERS } from './platform';

export * from './reviews';
export * from './builds';
export * from './releases';
export * from './audit';
export * from './platform';

/** The answers of the routes of the API when they succeed, by method and template. */
export const ANSWERS = {
  ...REVIEWS_ANSWERS,
  ...BUILDS_ANSWERS,
  ...RELEASES_ANSWERS,
  ...AUDIT_ANSWERS,
  ...PLATFORM_ANSWERS,
} as const;
