import { resolveAlias } from '../config/alias-resolution';
import { accessTokens } from '../session/access-token';
import { Failure } from '../terminal/failure';

export interface SignedInAlias {
  configFolder: string;
  /** Undefined: the only configured alias. */
  aliasName?: string;
}

/**
 * The operator's token, which the platform's own registry takes. A build does not require an alias, so if it is
 * missing, the exit code is not the one of a missing alias. Spec: Client, Authentication, rule 6; Rule G1.
 *
 * @throws Failure REGISTRY_NEEDS_SIGN_IN
 */
export async function registryToken({ configFolder, aliasName }: SignedInAlias): Promise<string> {
  try {
    return await accessTokens(configFolder, await resolveAlias(configFolder, aliasName)).current();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      'REGISTRY_NEEDS_SIGN_IN',
      `The platform's registry takes a signed-in operator alone: ${error.message}`,
      { next: error.next ?? 'plat cloud login' },
    );
  }
}
