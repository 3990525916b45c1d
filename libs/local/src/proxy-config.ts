import type { ProxyVariables } from './proxy-of';

/** The proxies that the variables of this process name; one in capitals counts before the same in small letters. */
export function proxyVariables(): ProxyVariables {
  const { HTTP_PROXY, http_proxy, HTTPS_PROXY, https_proxy, NO_PROXY, no_proxy } = process.env;
  return {
    http: HTTP_PROXY || http_proxy || '',
    https: HTTPS_PROXY || https_proxy || '',
    except: NO_PROXY || no_proxy || '',
  };
}
