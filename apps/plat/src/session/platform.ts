import { routeNamed, type RouteName } from '@plat/contracts/core';
import type { AxiosInstance } from 'axios';
import { resolveAlias } from '../config/alias-resolution';
import type { PlatformAlias } from '../config/cloud-alias';
import { accessTokens } from './access-token';
import { routePath } from './route-path';

/** A platform that this machine can reach, as its alias describes it. */
export interface Platform {
  alias: PlatformAlias;
  /** An HTTP client that calls as the signed-in person; nobody is asked for a token before the first call. */
  http(): Promise<AxiosInstance>;
  /** What `--dry-run` prints for a call. Decision G2. */
  plannedCall(route: RouteName, path?: Readonly<Record<string, string>>): string;
}

/** @throws Failure with exit code 127 when no alias can be resolved; nothing is called */
export async function openPlatform(configFolder: string, aliasName: string | undefined): Promise<Platform> {
  const alias = await resolveAlias(configFolder, aliasName);
  return {
    alias,
    async http() {
      // Loaded where a call is made: much of what the client does makes none.
      const { authenticatedHttp } = await import('./http.js');
      return authenticatedHttp(alias, accessTokens(configFolder, alias));
    },
    plannedCall(route, path = {}) {
      const { method, template } = routeNamed(route);
      return `platform: ${method} ${alias.apiUrl}${routePath(template, path)}`;
    },
  };
}
