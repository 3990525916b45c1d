import { ApiClient } from '@plat/api-client';
import { type RouteName, routeNamed } from '@plat/contracts/core';
import { resolveAlias } from '../config/alias-resolution';
import type { PlatformAlias } from '../config/cloud-alias';
import { accessTokens } from '../session/access-token';
import { isTraced } from '../terminal/trace';
import { routePath } from './route-path';
import { TracedApiClient } from './traced-api-client';

/** A platform, as its alias on this machine describes it. */
export interface Platform {
  alias: PlatformAlias;
  /** Calls as the signed-in person. The session is read when the first call is made. */
  api: ApiClient;
  /** The text that `--dry-run` prints for a call. Rule G2. */
  plannedCall(route: RouteName, path?: Readonly<Record<string, string>>): string;
}

/** The same platform with calls that end when the signal is aborted. */
export function interruptedPlatform(platform: Platform, interrupted: AbortSignal): Platform {
  return { ...platform, api: platform.api.interruptedBy(interrupted) };
}

export interface PlatformInput {
  configFolder: string;
  /** Undefined: the only configured alias. */
  aliasName?: string;
  /** Sent with every call. */
  headers: Readonly<Record<string, string>>;
  /** Timeout of each call; default: the API client's own. */
  timeoutSeconds?: number;
}

/** @throws Failure with exit code 127 if no alias can be resolved, before any call */
export async function openPlatform(input: PlatformInput): Promise<Platform> {
  const { configFolder, aliasName, headers, timeoutSeconds } = input;
  const alias = await resolveAlias(configFolder, aliasName);
  const options = {
    baseUrl: alias.apiUrl,
    tokens: accessTokens(configFolder, alias),
    headers,
    timeoutSeconds,
  };
  return {
    alias,
    api: isTraced() ? new TracedApiClient(options) : new ApiClient(options),
    plannedCall(route, path = {}) {
      const { method, template } = routeNamed(route);
      return `platform: ${method} ${alias.apiUrl}${routePath(template, path)}`;
    },
  };
}
