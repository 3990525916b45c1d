import { ApiClient, getPlatform } from '@plat/api-client';
import { isAliasName, PLATFORM_KIND, type PlatformAlias } from '../config/cloud-alias';
import { serviceAddress } from '../config/service-address';
import { Failure } from '../terminal/failure';
import { isFilled, ownAudience } from './audience';

/**
 * Reads the public description of a platform as an alias with the given name. Writes nothing.
 * Spec: Client, Authentication, rule 2; Rule G3.
 *
 * @param audience the resource indicator of tokens, if the person names it; default: the API's own name for itself
 * @throws Failure INVALID_ALIAS_NAME, INVALID_ADDRESS, PLATFORM_UNREACHABLE, NOT_A_PLATFORM, OTHER_AUDIENCE
 */
export async function readPlatform(name: string, apiUrl: string, audience?: string): Promise<PlatformAlias> {
  if (!isAliasName(name)) {
    throw new Failure('INVALID_ALIAS_NAME', `${JSON.stringify(name)} cannot name an alias.`, {
      next: 'use letters, digits, dots, underscores and hyphens, starting with a letter or digit',
    });
  }
  if (audience !== undefined && !URL.canParse(audience)) {
    throw new Failure('INVALID_ADDRESS', '--audience cannot be used: it is not an absolute address.', {
      next: 'give the identifier of the API as its identity provider has it, such as https://api.example.com',
    });
  }
  const address = withoutTrailingSlash(serviceAddress(apiUrl, '--api-url'));
  const description = await getPlatform(new ApiClient({ baseUrl: address }));
  if (!isFilled(description.issuer) || !isFilled(description.cliClientId)) {
    throw new Failure('NOT_A_PLATFORM', `${address} does not say how this client signs in.`, {
      details: { apiUrl: address },
      next: 'check --api-url with the administrator of the platform',
    });
  }
  return {
    name,
    kind: PLATFORM_KIND,
    apiUrl: address,
    audience: audience ?? ownAudience(description.apiUrl, address),
    issuer: serviceAddress(description.issuer, `The issuer that ${address} names`),
    clientId: description.cliClientId,
  };
}

function withoutTrailingSlash(address: string): string {
  return address.replace(/\/{1,16}$/, '');
}
