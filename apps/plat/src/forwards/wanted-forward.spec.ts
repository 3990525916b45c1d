import { portBlock } from '@plat/environments';
import { wantedForwards } from './wanted-forward';

const NAME = { tenant: 'acme', environment: 'dev' };

/** The ends of the forwards of an environment whose block of ports starts here. */
function ends(start: number): string[] {
  const environment = { configFolder: '/c', name: NAME, kubernetesContext: 'c', ports: portBlock(start) };
  return wantedForwards(environment).map(
    ({ target: { namespace, service, localPort, port } }) =>
      `${localPort}:${port} svc/${service} in ${namespace}`,
  );
}

describe('Port-forward patterns, 1. Spec: Client, Port-forward patterns', () => {
  it('forwards to the Service of each channel in <tenant>-<env>, with the same number on both sides', () => {
    expect(ends(17_300)).toEqual([
      '17300:17300 svc/acme-mcp in acme-dev',
      '17322:17322 svc/acme-ssh in acme-dev',
      '17333:17333 svc/acme-api in acme-dev',
    ]);
  });

  it('has the port 17033 of the API only if the block starts at 17000', () => {
    expect(ends(17_000)[2]).toBe('17033:17033 svc/acme-api in acme-dev');
  });
});
