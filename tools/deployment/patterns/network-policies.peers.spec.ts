/**
 * @peers cyclonus
 * @paths deploy/patterns deploy/charts tools/deployment/patterns libs/testing/src/network-policy
 */
import { judgeByCyclonus } from '@plat/testing';
import { CONNECTIONS, NAMESPACES } from './connections';

describe('cyclonus judges as the contract says', () => {
  it.each(CONNECTIONS)('$shows', async ({ policies, labels = {}, allowed, ...connection }) => {
    const namespaces = Object.fromEntries(NAMESPACES.map((name) => [name, labels[name] ?? {}]));
    expect(await judgeByCyclonus({ namespaces, policies, connections: [connection] })).toEqual([allowed]);
  });
});
