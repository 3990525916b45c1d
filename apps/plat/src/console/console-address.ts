import { ApiClient, getPlatform } from '@plat/api-client';
import { addressOf, type Place } from '@plat/console/places';
import type { PlatformAlias } from '../config/cloud-alias';
import { serviceAddress } from '../config/service-address';
import { Failure } from '../terminal/failure';

/**
 * The address of a place of a platform's console, which the platform's public description names.
 *
 * @throws Failure NO_CONSOLE, INVALID_ADDRESS
 */
export async function consoleAddress({ apiUrl }: PlatformAlias, place: Place): Promise<string> {
  const { consoleUrl } = await getPlatform(new ApiClient({ baseUrl: apiUrl }));
  if (!consoleUrl) {
    throw new Failure('NO_CONSOLE', `${apiUrl} names no console.`, {
      details: { apiUrl },
      next: 'plat review why and plat review queue list show the same in the terminal',
    });
  }
  return new URL(addressOf(place), serviceAddress(consoleUrl, `The console that ${apiUrl} names`)).href;
}
