import type { EnvironmentName } from '@plat/environments';
import { type Channel, moveFromCache, reclaimForwards } from '@plat/forwards';
import { type OpenedChannel, reconcileForward, type Reconciliation } from './reconcile-forward';
import { type ForwardedEnvironment, wantedForwards } from './wanted-forward';

/** The result of opening the forwards of an environment. Rule H8. */
export interface OpenedForwards {
  /** A channel that the environment does not have is absent. */
  channels: Partial<Record<Channel, OpenedChannel>>;
  /** A line each, for the user. */
  warnings: string[];
}

/** The inputs for opening the forwards of an environment. */
export interface ForwardsToOpen extends Reconciliation {
  environment: ForwardedEnvironment;
  /** Where earlier clients kept the records. */
  cacheFolder: string;
  /** Every environment of the configuration; undefined: it was never made. */
  known: readonly EnvironmentName[] | undefined;
}

/**
 * Opens the forwards of an environment, all channels at once, each best effort; afterwards removes what is left of
 * environments that the configuration does not have. Rule H8.
 *
 * @throws the reason of `interrupted`
 */
export async function openForwards(input: ForwardsToOpen): Promise<OpenedForwards> {
  const { environment, cacheFolder, known, interrupted } = input;
  const { configFolder, name } = environment;
  const warnings: string[] = [];
  await moveFromCache({ cacheFolder, configFolder }, name);
  const missing = new Set<string>();
  const hasService = async (service: string) => {
    const isThere = await input.hasService(service);
    if (!isThere) missing.add(service);
    return isThere;
  };
  const opened = await Promise.all(
    wantedForwards(environment).map(async (wanted) => {
      const { channel, target } = wanted;
      const one = await reconcileForward(wanted, { ...input, hasService });
      // Many environments have no API, and no chart makes its Service: only the result says so. docs/decisions/0026.
      const isWithoutApi = channel === 'api' && missing.has(target.service);
      if (one.message !== undefined && !isWithoutApi) {
        warnings.push(`warning: forward ${channel}: ${one.message}`);
      }
      return [channel, one] as const;
    }),
  );
  interrupted.throwIfAborted();
  await reclaimForwards(configFolder, known).catch((error: unknown) => {
    warnings.push(`warning: old records of forwards stay: ${String(error)}`);
  });
  return { channels: Object.fromEntries(opened), warnings };
}
