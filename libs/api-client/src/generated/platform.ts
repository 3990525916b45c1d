// Written by `npm run generate` from the OpenAPI document of the service; nobody edits it.
import { type ApiClient } from '../api-client';
import type { components } from './platform.schema';

export type Platform = components['schemas']['Platform'];

export type Whoami = components['schemas']['Whoami'];

/**
 * Describe the platform to a client that has not signed in. `GET /v1/platform`
 */
export function getPlatform(api: ApiClient): Promise<Platform> {
  return api.send({ method: 'GET', path: '/v1/platform' });
}

/**
 * Show who the caller is here. `GET /v1/whoami`
 */
export function whoami(api: ApiClient): Promise<Whoami> {
  return api.send({ method: 'GET', path: '/v1/whoami' });
}
