import { type ListedForward, listForwards } from '../forwards/listed-forward';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { type Check, Undecided } from './examination';

/** A check of each recorded forward: whether it is what its record says. Calls no cluster but through a forward. */
export async function forwardChecks(configFolder: string): Promise<Check[]> {
  const forwards = await listForwards(configFolder);
  return forwards.map((forward) => ({
    name: `${forward.tenant}-${forward.environment} ${forward.channel}`,
    look: () => Promise.resolve(forwardFinding(forward)),
  }));
}

/** @throws Failure FORWARD_LIES: its record names a process or a port that is not its own, or it does not answer */
function forwardFinding(forward: ListedForward): string {
  const { tenant, environment, localPort, processId, state, message, lastError } = forward;
  const next = nextStep('plat open', [tenant, environment]);
  switch (state) {
    case 'alive':
      return `127.0.0.1:${localPort} answers, process ${processId}`;
    case 'ended': {
      const why = lastError === undefined ? '' : `; its last error: ${lastError.message}`;
      throw new Undecided(`127.0.0.1:${localPort} has no forward any more${why}.`, { next });
    }
    case 'foreign':
      throw new Failure('FORWARD_LIES', `${message}.`, {
        next: nextStep('end that process (plat forwards list has its whole name), then:', next),
      });
    default:
      throw new Failure('FORWARD_LIES', `The forward is ${state}: ${message ?? 'no reason is known'}.`, {
        next,
      });
  }
}
