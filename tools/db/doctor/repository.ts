import { X509Certificate } from 'node:crypto';
import { readValueFile } from '@plat/local';
import { defaultVerifierConfig, examineRepository, readNetworks, type VerifierConfig } from '@plat/verifier';
import type { Finding } from './check';

type Environment = Record<string, string | undefined>;

/**
 * Reads a repository as the reviews service does, with the same variables, and says why it cannot.
 *
 * @throws Error if REPOSITORY_NETWORKS or REPOSITORY_CA cannot be used
 */
export async function findRepositoryFaults(remoteUrl: string, environment: Environment): Promise<Finding[]> {
  const examined = await examineRepository(remoteUrl, configOf(environment));
  if (examined.readable) return [];
  return [
    {
      severity: 'error',
      check: 'repository',
      what: `${examined.address ?? 'the repository'} cannot be read: ${examined.cause}`,
      why: 'The service accepts no merge that it cannot read. Tenants see neither this cause nor another.',
      mend: mendOf(examined.cause),
    },
  ];
}

function configOf(environment: Environment): VerifierConfig {
  const { REPOSITORY_NETWORKS: networks = '', REPOSITORY_CA, REPOSITORY_CA_FILE: file } = environment;
  const authorities = REPOSITORY_CA ?? (file && naming('REPOSITORY_CA_FILE', () => readValueFile(file)));
  if (authorities) expectCertificates(authorities);
  return {
    ...defaultVerifierConfig,
    allowedNetworks: naming('REPOSITORY_NETWORKS', () => readNetworks(networks)),
    certificateAuthorities: authorities ? [authorities] : undefined,
  };
}

/** Puts the variable's name before what is wrong with its value. */
function naming<T>(variable: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${variable}: ${(error as Error).message}`, { cause: error });
  }
}

/** TLS takes a text without a certificate for no authority at all, and says nothing. */
function expectCertificates(text: string): void {
  try {
    new X509Certificate(text);
  } catch {
    throw new Error('REPOSITORY_CA must be certificates in PEM');
  }
}

function mendOf(cause: string): string {
  if (cause.includes('not allowed') && cause.includes('address')) {
    return 'if the git server is yours, add its network or host:port to REPOSITORY_NETWORKS of the reviews service';
  }
  if (cause.includes('certificate')) return 'mend the certificate, or give its authority as REPOSITORY_CA';
  return 'make the repository readable over https without credentials, from where the reviews service runs';
}
