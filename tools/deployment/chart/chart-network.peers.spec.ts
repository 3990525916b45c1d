/**
 * @peers cyclonus helm-3
 * @paths deploy/charts tools/deployment/chart libs/testing/src/network-policy libs/testing/src/deployment
 */
import { judgeByCyclonus } from '@plat/testing';
import { CONNECTIONS, NAMESPACES } from './chart-connections';

describe('cyclonus judges the policies of the chart alike', () => {
  const sets = [...new Set(CONNECTIONS.map(({ policies }) => policies))];
  it.each(sets.map((policies, place) => [place, policies] as const))('set %d', async (_, policies) => {
    const judged = CONNECTIONS.filter((each) => each.policies === policies);
    const connections = judged.map(({ from, to, port, protocol }) => ({ from, to, port, protocol }));
    const verdicts = await judgeByCyclonus({ namespaces: NAMESPACES, policies, connections });
    const seen = judged.map(({ shows }, place) => ({ shows, allowed: verdicts[place] }));
    expect(seen).toEqual(judged.map(({ shows, allowed }) => ({ shows, allowed })));
  });
});
