import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The kubeconfig files of this process, in the order in which kubectl merges them. They need not exist. */
export function kubeconfigPaths(): string[] {
  const named = (process.env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  return named.length > 0 ? named : [join(homedir(), '.kube', 'config')];
}
