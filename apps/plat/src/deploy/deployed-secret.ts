import { type EnvironmentName, GATEWAY_TOKEN_KEY, MCP_TOKEN_KEY, runtimeNames } from '@plat/environments';
import { type EnvironmentSession, sessionSecretData } from '../session/environment-session';
import { registryKey } from './image-sign-in';

/** The values of a secret. */
export interface SecretContent {
  /** Texts by their keys. */
  data: Readonly<Record<string, string>>;
  /** The texts in it that nothing may repeat. */
  secrets: string[];
}

/** A secret of an environment that the deploy writes. */
export interface DeployedSecret {
  /** Its use, by which the chart names its version. */
  use: 'session' | 'gateway' | 'registry' | 'mcp' | 'git';
  name: string;
  type: 'Opaque' | 'kubernetes.io/dockerconfigjson';
  /** The keys, for a plan. */
  keys: string[];
  /** Reads the values. A plan does not call it. */
  read(): Promise<SecretContent>;
  /** Makes new values. Undefined for a secret whose values do not come from the cluster. */
  renew?(): SecretContent;
}

/** The operator's session, which the pod mounts. Rule H7. */
export function sessionSecret(name: EnvironmentName, session: EnvironmentSession): DeployedSecret {
  const content = sessionSecretData(session);
  return {
    use: 'session',
    name: runtimeNames(name).sessionSecret,
    type: 'Opaque',
    keys: Object.keys(content.data),
    read: () => Promise.resolve(content),
  };
}

/** The gateway's credential. Spec: Client, Variables set in a runtime pod, LLM_AUTH_TOKEN. */
export function gatewaySecret(name: EnvironmentName, readToken: () => Promise<string>): DeployedSecret {
  return tokenSecret('gateway', {
    name: runtimeNames(name).gatewaySecret,
    key: GATEWAY_TOKEN_KEY,
    readToken,
  });
}

/** The sign-in with which the cluster gets the image. @param auth `user:password` in base64 */
export function registrySecret(name: EnvironmentName, image: string, auth: string): DeployedSecret {
  const text = JSON.stringify({ auths: { [registryKey(image)]: { auth } } });
  return {
    use: 'registry',
    name: runtimeNames(name).registrySecret,
    type: 'kubernetes.io/dockerconfigjson',
    keys: ['.dockerconfigjson'],
    read: () => Promise.resolve({ data: { '.dockerconfigjson': text }, secrets: [auth, text] }),
  };
}

/** The token of the pod's MCP server, which `plat open` hands to the person. Rule H7. */
export function mcpSecret(
  name: EnvironmentName,
  { keepToken, makeToken }: { keepToken: () => Promise<string>; makeToken: () => string },
): DeployedSecret {
  const key = MCP_TOKEN_KEY;
  const secret = tokenSecret('mcp', { name: runtimeNames(name).mcpSecret, key, readToken: keepToken });
  return { ...secret, renew: () => tokenContent(key, makeToken()) };
}

function tokenSecret(
  use: DeployedSecret['use'],
  { name, key, readToken }: { name: string; key: string; readToken: () => Promise<string> },
): DeployedSecret {
  return {
    use,
    name,
    type: 'Opaque',
    keys: [key],
    read: async () => tokenContent(key, await readToken()),
  };
}

const tokenContent = (key: string, token: string): SecretContent => ({
  data: { [key]: token },
  secrets: [token],
});

/** The manifest of a secret, for kubectl's stdin. */
export function secretManifest(
  { name, type }: DeployedSecret,
  namespace: string,
  { data: texts }: SecretContent,
): string {
  const data = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  const labels = { 'app.kubernetes.io/managed-by': 'plat' };
  const metadata = { name, namespace, labels };
  return JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata, type, data: Object.fromEntries(data) });
}
