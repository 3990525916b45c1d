import { brokerToken } from '@plat/environments';
import { checkSecretFile, readSecretFile, type SecretFile } from '../config/secret-file';
import { Failure } from '../terminal/failure';
import { hideInOutput } from '../terminal/hidden-secrets';

/** Checks the token's file without reading it. @throws Failure DNS01_TOKEN_EXPOSED, DNS01_TOKEN_UNREADABLE */
export function checkTokenFile(path: string): Promise<void> {
  return checkSecretFile(tokenFile(path));
}

/**
 * The environment's token for the DNS-01 broker. Spec: Client, Authentication, rule 8.
 *
 * @throws Failure DNS01_TOKEN_EXPOSED, DNS01_TOKEN_UNREADABLE; none repeats the token
 */
export async function readTokenFile(path: string): Promise<string> {
  const token = brokerToken(await readSecretFile(tokenFile(path)));
  if (token !== undefined) return hideInOutput(token);
  throw unreadable(`${path} does not hold one line of text.`);
}

function tokenFile(path: string): SecretFile {
  const holds = "the environment's token for the DNS-01 broker";
  return { path, holds, exposedCode: 'DNS01_TOKEN_EXPOSED', unreadable };
}

function unreadable(message: string): Failure {
  return new Failure('DNS01_TOKEN_UNREADABLE', message, {
    next: 'name the file of the token by --dns01-token-file, or leave TLS out with --no-tls',
  });
}
