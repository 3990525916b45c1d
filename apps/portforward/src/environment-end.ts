import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { parseEnvConfig } from '@plat/environments/config';
import { ClusterError } from './cluster-error';
import type { KubeAccess } from './kube-access';

const PLATFORM_GAP_MILLISECONDS = 60_000;
const PLATFORM_DEADLINE_MILLISECONDS = 30_000;
/** The platform's code for an environment that it does not have. */
const NOT_FOUND = 'NOT_FOUND';

/** Where an environment is recorded. */
export interface EnvironmentPlace {
  namespace: string;
  /** Its file in the configuration. */
  configPath: string;
  /** The client's program, which asks the platform with the person's own session. */
  program: string;
}

/**
 * Finds out whether an environment has ended: its namespace, or its registration on the platform. It is asked after a
 * failure and never by a timer, the platform at most once a minute. Decision H9.
 */
export class EnvironmentEnd {
  private askedAt = Number.NEGATIVE_INFINITY;
  private readonly ended = new AbortController();

  constructor(
    private readonly access: KubeAccess,
    private readonly place: EnvironmentPlace,
  ) {}

  close(): void {
    this.ended.abort();
  }

  /** @returns what is gone; undefined also if that cannot be determined */
  async find(): Promise<string | undefined> {
    if (await this.isNamespaceGone()) return `the namespace ${this.place.namespace} is gone`;
    return this.registrationGone();
  }

  private async isNamespaceGone(): Promise<boolean> {
    try {
      await this.access.get(`/api/v1/namespaces/${this.place.namespace}`);
      return false;
    } catch (error) {
      if (error instanceof ClusterError) return error.status === 404;
      throw error;
    }
  }

  private async registrationGone(): Promise<string | undefined> {
    if (performance.now() - this.askedAt < PLATFORM_GAP_MILLISECONDS) return undefined;
    const { alias, environmentId } = await readRegistration(this.place.configPath);
    if (alias === undefined || environmentId === undefined) return undefined;
    this.askedAt = performance.now();
    const args = [
      this.place.program,
      'api',
      'GET',
      `/v1/environments/${environmentId}`,
      '--alias',
      alias,
      '--json',
    ];
    const answer = await new Promise<string>((resolve) => {
      const limits = { timeout: PLATFORM_DEADLINE_MILLISECONDS, signal: this.ended.signal };
      execFile(process.execPath, args, limits, (_error, stdout) => resolve(stdout));
    });
    return codeOf(answer) === NOT_FOUND
      ? `the platform has no environment ${environmentId} any more`
      : undefined;
  }
}

interface Registration {
  alias?: string | undefined;
  environmentId?: string | undefined;
}

/** Alias and id of the environment's registration; empty for one that is not registered. */
async function readRegistration(path: string): Promise<Registration> {
  try {
    const config = parseEnvConfig(parse(await readFile(path, 'utf8')));
    return { alias: config?.alias, environmentId: config?.environmentId };
  } catch {
    return {};
  }
}

function codeOf(stdout: string): string | undefined {
  try {
    return (JSON.parse(stdout) as { code?: string }).code;
  } catch {
    return undefined;
  }
}

/** The file of an environment's configuration, which is in the same folder as the records of its forwards. */
export function configPathOf(statePath: string): string {
  const [tenant, configFolder] = [dirname(statePath), dirname(dirname(dirname(dirname(statePath))))];
  return join(configFolder, basename(tenant), basename(statePath, '.json'), 'config.yaml');
}
