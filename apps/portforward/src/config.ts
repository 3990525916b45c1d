import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { ProxyVariables } from './proxy-of';

/** The kubeconfig files of this process, in the order in which kubectl merges them. They need not exist. */
export function kubeconfigPaths(): string[] {
  const named = (process.env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  return named.length > 0 ? named : [join(homedir(), '.kube', 'config')];
}

/** The proxies that the variables of this process name; one in capitals counts before the same in small letters. */
export function proxyVariables(): ProxyVariables {
  const { HTTP_PROXY, http_proxy, HTTPS_PROXY, https_proxy, NO_PROXY, no_proxy } = process.env;
  return {
    http: HTTP_PROXY || http_proxy || '',
    https: HTTPS_PROXY || https_proxy || '',
    except: NO_PROXY || no_proxy || '',
  };
}
