import { SERVICES } from '@plat/contracts/core';
import { CASES, podsOf, rendered, templateOf } from './plat-chart';

const RESTRICTED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

describe.each(CASES)('the pods of the case %s', (name) => {
  const pods = podsOf(name);
  const containers = pods.flatMap(({ spec }) => [...(spec.initContainers ?? []), ...spec.containers]);
  const services = rendered(name, 'Deployment');

  it('have a user that is a number and not root, and a root file system that cannot be written', () => {
    expect(services.map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining(SERVICES.map((service) => `plat-${service}`)),
    );
    for (const { spec } of pods) {
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10_001,
        runAsGroup: 10_001,
        seccompProfile: { type: 'RuntimeDefault' },
      });
    }
    for (const { securityContext } of containers) expect(securityContext).toEqual(RESTRICTED);
  });

  it('mount no token, save the platform service that removes namespaces of its own cluster', () => {
    const withToken = pods.filter(({ spec }) => spec.automountServiceAccountToken);
    const names = withToken.map(({ metadata }) => metadata.labels['app.kubernetes.io/component']);
    expect(names).toEqual(name === 'everything' ? ['platform'] : []);
  });

  it('have no secret in a variable: each is a file that is mounted, and may be written nowhere', () => {
    for (const container of containers) {
      for (const { name: variable, value } of container.env ?? []) {
        expect(typeof value).toBe('string');
        expect(value).not.toMatch(/^postgres|PRIVATE KEY/);
        if (!/(_FILE|EXTRA_CA_CERTS)$/.test(variable)) continue;
        const mount = container.volumeMounts?.find(({ mountPath }) => value.startsWith(`${mountPath}/`));
        expect({ variable, mount }).toEqual({ variable, mount: expect.objectContaining({ readOnly: true }) });
      }
      const writable = container.volumeMounts?.filter(({ readOnly }) => readOnly !== true) ?? [];
      expect(writable.map(({ mountPath }) => mountPath).filter((path) => path !== '/tmp')).toEqual([]);
    }
  });

  it('say what they need and what they may take', () => {
    for (const { resources } of containers) {
      expect(Object.keys(resources.requests ?? {}).sort()).toEqual(['cpu', 'memory']);
      expect(resources.limits).toHaveProperty('memory');
    }
  });

  it('of services listen on 8080, are asked on both paths, and run what the image runs', () => {
    for (const service of services) {
      const [container] = templateOf(service).spec.containers;
      expect(container.env).toContainEqual({ name: 'PORT', value: '8080' });
      expect(container.ports).toEqual([{ name: 'http', containerPort: 8080, protocol: 'TCP' }]);
      expect(container.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
      expect(container.startupProbe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
      expect(container.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
      expect([container.command, container.args]).toEqual([undefined, undefined]);
    }
  });

  it('of services get longer to stop than they take', () => {
    for (const service of services) {
      const {
        containers: [container],
        terminationGracePeriodSeconds,
      } = templateOf(service).spec;
      const seconds = (variable: string, byDefault: number) =>
        Number(container.env?.find((each) => each.name === variable)?.value ?? byDefault);
      const longest = seconds('DRAIN_SECONDS', 5) + seconds('SHUTDOWN_SECONDS', 20);
      expect(terminationGracePeriodSeconds).toBeGreaterThan(longest);
    }
  });
});

describe('a rollout', () => {
  it.each(CASES)(
    'has as many ready replicas as before all the time, and no replicas next to autoscaling: %s',
    (name) => {
      const scaled = rendered(name, 'HorizontalPodAutoscaler').map(({ metadata }) => metadata.name);
      for (const { metadata, spec } of rendered(name, 'Deployment')) {
        expect(spec.strategy).toEqual({
          type: 'RollingUpdate',
          rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
        });
        expect('replicas' in spec).toBe(!scaled.includes(metadata.name));
      }
      expect(scaled).toEqual(name === 'everything' ? ['plat-reviews', 'plat-builds'] : []);
      expect(rendered(name, 'PodDisruptionBudget')).toHaveLength(SERVICES.length);
    },
  );

  it('is preceded by the database job, which migrates and sets passwords in this order', () => {
    const [job] = rendered('defaults', 'Job');
    const { initContainers, containers } = templateOf(job!).spec;
    expect(job?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    expect([...initContainers!, ...containers].map(({ args }) => args)).toEqual([['migrate'], ['logins']]);
  });

  it('applies the directory file, and sets no password that is not given', () => {
    const [migrate, ...others] = rendered('everything', 'Job');
    expect(others).toEqual([]);
    expect(templateOf(migrate!).spec.initContainers).toBeUndefined();
    expect(templateOf(migrate!).spec.containers.map(({ args }) => args)).toEqual([
      ['migrate', '--directory', '/etc/plat/directory/directory.yaml'],
    ]);
  });
});
