import { PolicyNetwork } from '@plat/testing';
import { CHART_POLICIES, CONNECTIONS, NAMESPACES } from './connections';
import { field, manifestsOf, readPattern } from './pattern';

const specOf = (file: string) => manifestsOf(readPattern(file))[0]?.spec;
const namesOf = (file: string) => manifestsOf(readPattern(file)).map(({ metadata }) => metadata.name);

describe('Network policy patterns', () => {
  it('Default deny across namespaces is named default-deny-cross-ns and uses an empty podSelector and policyTypes Ingress', () => {
    expect(namesOf('default-deny-cross-ns.yaml')).toEqual(['default-deny-cross-ns']);
    expect(specOf('default-deny-cross-ns.yaml')).toEqual({
      podSelector: {},
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: {} }] }],
    });
  });

  it("The runtime chart's policy is another one", () => {
    expect(CHART_POLICIES.map(({ metadata }) => metadata.name)).toEqual(['acme-runtime']);
    expect(field(CHART_POLICIES[0] as never, 'spec', 'podSelector', 'matchLabels')).not.toEqual({});
  });

  it('A policy allow-shared-<service> selects pods labelled app=<service>, and its label is applied by hand', () => {
    expect(namesOf('allow-shared-service.yaml')).toEqual(['allow-shared-web']);
    expect(specOf('allow-shared-service.yaml')).toMatchObject({
      podSelector: { matchLabels: { app: 'web' } },
      ingress: [{ from: [{ namespaceSelector: { matchLabels: { 'allow-shared-web': 'true' } } }] }],
    });
    expect(readPattern('allow-shared-service.yaml').commands[1]).toBe(
      'kubectl label namespace acme-test allow-shared-web=true',
    );
  });

  it('A policy restrict-egress governs egress alone', () => {
    expect(namesOf('restrict-egress.yaml')).toEqual(['restrict-egress']);
    expect(specOf('restrict-egress.yaml')).toMatchObject({ policyTypes: ['Egress'] });
  });
});

describe('a connection', () => {
  it.each(CONNECTIONS)('$shows', ({ policies, labels = {}, allowed, ...connection }) => {
    const namespaces = Object.fromEntries(NAMESPACES.map((name) => [name, labels[name] ?? {}]));
    expect(new PolicyNetwork(namespaces, policies).allows(connection)).toBe(allowed);
  });
});
