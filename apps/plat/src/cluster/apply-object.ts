import { Failure } from '../terminal/failure';
import type { Cluster, ToolCall } from './cluster';

/**
 * Runs `kubectl apply` for one object. Between kubectl's question for the object and its creation, another run may have
 * created it: then it is applied once more, which changes that one.
 *
 * @returns its stdout
 * @throws Failure those of kubectl
 */
export async function applyObject(
  { kubectl }: Cluster,
  args: readonly string[],
  call: ToolCall,
): Promise<string> {
  try {
    return await kubectl.run(args, call);
  } catch (error) {
    if (!(error instanceof Failure && error.message.includes('(AlreadyExists)'))) throw error;
    return await kubectl.run(args, call);
  }
}
