import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';

/** How often the platform is asked at most. */
const GAP_MS = 60_000;
const LONGEST_MS = 30_000;

/**
 * Asks the environment's platform whether it still has the environment, by the client's own command: it has the
 * sessions. It asks nothing if the environment's configuration names no alias or no record.
 */
export class PlatformRecord {
  private lastAsked = -Infinity;
  private readonly stopped = new AbortController();

  /**
   * @param paths `config`: the environment's configuration; `plat`: the client's entry
   */
  constructor(private readonly paths: { config: string; plat: string }) {}

  /** @returns true only if the platform answers that it has no such environment */
  async isGone(): Promise<boolean> {
    const now = performance.now();
    if (now - this.lastAsked < GAP_MS) return false;
    this.lastAsked = now;
    const record = await this.read();
    if (!record) return false;
    const answer = await this.ask(record);
    return answer?.code === 'NOT_FOUND';
  }

  /** Ends a question that is being asked. */
  close(): void {
    this.stopped.abort();
  }

  private async read(): Promise<{ alias: string; environmentId: string } | undefined> {
    try {
      const content = parse(await readFile(this.paths.config, 'utf8')) as Record<string, unknown> | null;
      const { alias, environmentId } = content ?? {};
      if (typeof alias !== 'string' || typeof environmentId !== 'string') return undefined;
      return UUID.test(environmentId) ? { alias, environmentId } : undefined;
    } catch {
      return undefined;
    }
  }

  private ask(record: { alias: string; environmentId: string }): Promise<{ code?: unknown } | undefined> {
    const call = ['api', 'GET', `/v1/environments/${record.environmentId}`];
    const args = [this.paths.plat, ...call, `--alias=${record.alias}`, '--json'];
    const limits = { timeout: LONGEST_MS, killSignal: 'SIGKILL', signal: this.stopped.signal } as const;
    return new Promise((resolve) => {
      execFile(process.execPath, args, limits, (_, stdout) => {
        try {
          resolve(JSON.parse(stdout) as { code?: unknown });
        } catch {
          resolve(undefined);
        }
      });
    });
  }
}

/** The configuration of the environment whose forward has this state file. Both are in the user's configuration folder. */
export function configPathOf(state: string): string {
  const tenant = dirname(state);
  const configFolder = dirname(dirname(dirname(tenant)));
  return join(configFolder, basename(tenant), basename(state, '.json'), 'config.yaml');
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
