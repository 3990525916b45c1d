import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The files of the kubeconfig, as kubectl finds them; the only variable that this process reads itself. */
export function kubeconfigFiles(): string[] {
  const named = (process.env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  return named.length > 0 ? named : [join(homedir(), '.kube', 'config')];
}
