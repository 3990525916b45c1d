import { setTimeout as delay } from 'node:timers/promises';
import type { EnvironmentName, KubectlStep } from '@plat/environments';
import { applyObject } from '../cluster/apply-object';
import { openCluster, type ToolCall } from '../cluster/cluster';
import { expectContext } from '../cluster/contexts';
import { readEnvConfig } from '../config/config-check';
import { Failure } from '../terminal/failure';
import { shellQuote } from '../terminal/shell-quote';

/** kubectl itself waits a minute for a pod of the Deployment, and then says so. */
const EXEC_SECONDS_MAX = 75;
const ATTEMPTS_MAX = 6;
const PAUSE_MILLISECONDS = 200;

/** The options of a step, in addition to its command. */
interface StepCall extends ToolCall {
  interrupted: AbortSignal;
}

/**
 * The context of the platform's own environment. Spec: Client, plat expose, rule 1.
 *
 * @returns undefined if its configuration cannot be loaded or names none: the current context is used
 * @throws Failure CONTEXT_NOT_FOUND, and others of kubectl
 */
export async function platformContext(
  configFolder: string,
  platform: EnvironmentName,
  interrupted: AbortSignal,
): Promise<string | undefined> {
  const context = await readConfiguredContext(configFolder, platform);
  return context === undefined ? undefined : expectContext(context, interrupted);
}

/**
 * Changes a record by pdnsutil. PowerDNS over SQLite refuses a change while it writes another, of any environment: then
 * it is tried again, for about three seconds at most.
 *
 * @throws Failure those of kubectl
 */
export async function changeRecord(
  { context, namespace, args }: KubectlStep,
  interrupted: AbortSignal,
): Promise<void> {
  const { kubectl } = openCluster({ context, namespace }, interrupted);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await kubectl.run(args, { deadlineSeconds: EXEC_SECONDS_MAX });
      return;
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isLocked(error)) throw error;
      // A random time, so that two that have met do not meet again.
      const pause = attempt * PAUSE_MILLISECONDS * (0.5 + Math.random());
      await delay(pause, undefined, { signal: interrupted }).catch(() => undefined);
    }
  }
}

/** Applies the object on stdin. @throws Failure those of kubectl */
export async function applyStep({ context, namespace, args }: KubectlStep, call: StepCall): Promise<void> {
  const { interrupted, ...rest } = call;
  await applyObject(openCluster({ context, namespace }, interrupted), args, rest);
}

/** The whole command of a step, as `--dry-run` prints it. @param stdin what it reads */
export function stepLine({ context, namespace, args }: KubectlStep, stdin?: string): string {
  const line = shellQuote(openCluster({ context, namespace }).kubectl.argv(args));
  return stdin === undefined ? line : `${line} # stdin: ${stdin}`;
}

async function readConfiguredContext(
  configFolder: string,
  platform: EnvironmentName,
): Promise<string | undefined> {
  try {
    return (await readEnvConfig(configFolder, platform)).config.kubernetesContext;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

const isLocked = (error: unknown): boolean =>
  error instanceof Failure && error.message.includes('database is locked');
