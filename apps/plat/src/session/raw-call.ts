import { Failure } from '../terminal/failure';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A path of the API with its query. Anything else could carry the token to another host. @throws Failure INVALID_PATH */
export function apiPath(text: string): string {
  const path = text.startsWith('/') ? text : `/${text}`;
  if (/^\/v1(?:[/?]|$)/.test(path) && new URL(path, 'http://api.invalid').host === 'api.invalid') return path;
  throw new Failure('INVALID_PATH', `${JSON.stringify(text)} is not a path of the API.`, {
    next: 'give a path such as /v1/reviews',
  });
}

/** @throws Failure INVALID_BODY */
export function jsonBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Failure('INVALID_BODY', `The body is not JSON: ${(error as Error).message}.`);
  }
}
