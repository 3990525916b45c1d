import { chooseRepository } from '../checkout/repository-choice';
import { readForgeVariables } from '../config/forge-variables';
import { Failure } from '../terminal/failure';
import { type Forge, type ForgeInput, openForge } from './forge';
import { isForgeHost } from './forge-token';

/** If the user gave no address of a forge, these failures mean that the repository has no known forge. */
const NONE = ['NOT_ON_A_FORGE', 'NO_FORGE_TOKEN'];

/**
 * The forge of the repository, if one is known: by its address, by its host, or by gh's session with that host. Any
 * other host is sent no token.
 *
 * @returns the reason if none is known
 * @throws Failure NO_FORGE_TOKEN, NOT_ON_A_FORGE for a forge that is given by its address
 */
export async function findForge(input: ForgeInput): Promise<Forge | string> {
  if (input.apiUrl !== undefined) return openForge(input);
  const { host } = new URL(await chooseRepository(input.repository));
  if (!(await isForgeHost(host, readForgeVariables()))) {
    return `${host === '' ? 'the repository' : host} is not known to be a forge; --forge-url names one.`;
  }
  try {
    return await openForge(input);
  } catch (error) {
    if (error instanceof Failure && NONE.includes(error.code)) return error.message;
    throw error;
  }
}
