import type { EnvConfig } from './config/env-config';
import { runtimeValues } from './runtime-values';

const values = (config: Partial<EnvConfig> = {}, more: { registrySecret?: string } = {}) =>
  runtimeValues({
    name: { tenant: 'acme', environment: 'dev' },
    config: { type: 'runtime', ...config },
    hostTimeZone: 'Etc/UTC',
    clientVersion: '1.2.0',
    ...more,
  });

describe('the values of the runtime chart', () => {
  it('leave out what does not resolve, never as an empty or undefined value. Rule G13', () => {
    const { variables, ...rest } = values();
    expect(rest).toEqual({
      tenant: 'acme',
      environment: 'dev',
      image: 'docker.io/plat/plat-runtime:1.2.0',
      replicas: 1,
      sshPort: 17_022,
    });
    expect(Object.keys(rest)).toHaveLength(5);
    expect(variables).not.toHaveProperty('CLOUDA_REGION');
    expect(Object.values(variables)).not.toContain(undefined);
  });

  it('take the image of the configuration, otherwise that of the release in its registry', () => {
    expect(values({ runtimeImage: 'r.example/own:7', runtimeVersion: '1.3.0' }).image).toBe(
      'r.example/own:7',
    );
    expect(values({ runtimeVersion: '1.3.0' }).image).toBe('docker.io/plat/plat-runtime:1.3.0');
    expect(values({ runtimeRegistry: 'r.example:5000/plat' }).image).toBe(
      'r.example:5000/plat/plat-runtime:1.2.0',
    );
  });

  it('have no replica if the environment is stopped', () => {
    expect([values({ stopped: true }).replicas, values({ stopped: false }).replicas]).toEqual([0, 1]);
  });

  it('have the port of the block for the SSH service, whatever the port in the pod', () => {
    expect(values({ localPortRangeStart: 17_300 })).toMatchObject({
      sshPort: 17_322,
      variables: { PLAT_SSHD_PORT: '17322' },
    });
    expect(values()).toMatchObject({ sshPort: 17_022, variables: { PLAT_SSHD_PORT: '22' } });
  });

  it('have resources as texts', () => {
    expect(values({ pod: { cpu: 2, memory: '4Gi' } }).resources).toEqual({ cpu: '2', memory: '4Gi' });
    expect(values({ pod: { memory: '4Gi' } }).resources).toEqual({ memory: '4Gi' });
  });

  it('name secrets, and hold none. Spec: Client, LLM_AUTH_TOKEN', () => {
    const gateway = { models: [{ id: 'm' }] };
    expect(values({ gateway }).variables).toMatchObject({
      LLM_AUTH_TOKEN: { name: 'acme-runtime-gateway', key: 'token' },
      LLM_API_KEY: '',
    });
    expect(values({}, { registrySecret: 'acme-runtime-registry' }).registrySecret).toBe(
      'acme-runtime-registry',
    );
  });
});
