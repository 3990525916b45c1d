import { resolveRegion } from './region';

const MANAGED = { alias: 'prod', region: 'eu-west-1' };
const CONTEXT = 'arn:aws:eks:eu-central-1:123456789012:cluster/main';
const ECR = { registry: '123456789012.dkr.ecr.us-east-2.amazonaws.com/team', roles: ['build'] };
const ALL = {
  type: 'runtime' as const,
  kubernetesContext: CONTEXT,
  cloud: { ...MANAGED, identityRegion: 'eu-north-1' },
  containerRegistries: [{ registry: 'r.example', roles: ['build'] }, ECR],
};

describe('the region resolves, in this order, Rule H14,', () => {
  it('from the managed cloud context', () => {
    expect(resolveRegion(ALL)).toBe('eu-west-1');
  });

  it('from the name of the kubeconfig context', () => {
    expect(resolveRegion({ ...ALL, cloud: { region: 'eu-west-1', identityRegion: 'eu-north-1' } })).toBe(
      'eu-central-1',
    );
    const kubernetesContext = 'me@main.ap-southeast-2.eksctl.io';
    expect(resolveRegion({ type: 'runtime', kubernetesContext })).toBe('ap-southeast-2');
  });

  it("from the region of the alias's identity centre", () => {
    expect(
      resolveRegion({ ...ALL, kubernetesContext: 'kind-dev', cloud: { identityRegion: 'eu-north-1' } }),
    ).toBe('eu-north-1');
  });

  it('from the host of a registry, the runtime registry last', () => {
    expect(resolveRegion({ type: 'runtime', containerRegistries: ALL.containerRegistries })).toBe(
      'us-east-2',
    );
    expect(resolveRegion({ type: 'runtime', runtimeRegistry: ECR.registry })).toBe('us-east-2');
  });

  it('not from the cloud of another vendor', () => {
    expect(resolveRegion({ type: 'runtime', cloud: { ...MANAGED, provider: 'cloud-b' } })).toBeUndefined();
    expect(resolveRegion({ type: 'runtime', cloud: { ...MANAGED, provider: 'cloud-a' } })).toBe('eu-west-1');
  });

  it.each(['kind-dev', 'arn:aws:eks', 'x@a.b', `${'a'.repeat(100_000)}@b.eu-west-1.eksctl.io`])(
    'not from a context such as %.20s',
    (kubernetesContext) => {
      expect(resolveRegion({ type: 'runtime', kubernetesContext })).toBeUndefined();
    },
  );
});
