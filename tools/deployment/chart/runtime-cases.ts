import { type EnvConfig, type RuntimeValues, runtimeValues } from '@plat/environments';

const REPO_URL = 'https://forge.example/team/shop.git';
const RELEASE = { runtimeVersion: '1.2.3', localPortRangeStart: 17_100 };

/** The cases whose rendering is kept next to the chart, for review: the usual one, and the one with most objects. */
const GOLDEN = ['remote-agent', 'cloud-alias'];

/** Configurations from which the chart is rendered. */
const CONFIGS: Readonly<Record<string, EnvConfig>> = {
  'local-agent': { type: 'local-agent', localRepoPath: '/home/me/work/shop', ...RELEASE },
  'remote-agent': { type: 'remote-agent', repoUrl: REPO_URL, mutableSource: true, ...RELEASE },
  // Nothing but its type: every default counts, and the SSH server listens on port 22.
  runtime: { type: 'runtime' },
  'cloud-alias': {
    type: 'remote-agent',
    kubernetesContext: 'dev@shop.eu-west-1.eksctl.io',
    cloud: {
      alias: 'shop-cloud',
      contextName: 'shop',
      provider: 'cloud-a',
      providerAlias: 'main',
      region: 'eu-central-1',
      instanceId: 'i-0123',
      identityRegion: 'eu-north-1',
    },
    idle: { timeout: '15m', workingHours: '20:00-06:00', timezone: 'Europe/Berlin', trafficBytes: 1024 },
    ...RELEASE,
  },
  gateway: {
    type: 'remote-agent',
    gateway: {
      baseUrl: 'https://models.example/v1',
      models: [{ id: 'large', contextTokens: 200_000, default: true }, { id: 'small' }],
    },
    llmKeySecret: { name: 'llm', key: 'key' },
    ...RELEASE,
  },
  // Names that YAML reads as a number and as a truth value unless they are quoted.
  'own-key': { type: 'remote-agent', llmKeySecret: { name: '1234', key: 'true' }, ...RELEASE },
  registries: {
    type: 'remote-agent',
    runtimeRegistry: 'registry.example/plat',
    containerRegistries: [
      { registry: '1234.dkr.ecr.eu-west-3.amazonaws.com', roles: ['build', 'deploy'] },
      { registry: 'registry.example/team', roles: ['deploy'] },
    ],
    disableBuildScript: true,
    ...RELEASE,
  },
  'alternate-route': {
    type: 'remote-agent',
    agent: {
      alternateRoute: 2,
      maxOutputTokens: 8000,
      availableModels: ['large', 'small'],
      smallFastModelRegion: 'us-east-1',
    },
    ...RELEASE,
  },
  stopped: {
    type: 'remote-agent',
    stopped: true,
    mcpEnabled: false,
    pod: { cpu: 4, memory: '8Gi' },
    ...RELEASE,
  },
};

/** The values of the golden cases. */
export function goldenRuntimeCases(): Record<string, RuntimeValues> {
  return Object.fromEntries(Object.entries(runtimeCases()).filter(([name]) => GOLDEN.includes(name)));
}

/** The values of each case of the runtime chart, with what the deploy adds, by the case's name. */
export function runtimeCases(): Record<string, RuntimeValues> {
  const cases = Object.entries(CONFIGS).map(([name, config]): [string, RuntimeValues] => [
    name,
    runtimeValues({
      name: { tenant: 'acme', environment: 'dev' },
      config,
      hostTimeZone: 'Etc/UTC',
      clientVersion: '1.2.0',
      registrySecret: name === 'registries' ? 'acme-runtime-registry' : undefined,
      secretVersions: name === 'gateway' ? { gateway: '7', session: '12' } : undefined,
    }),
  ]);
  return Object.fromEntries(cases);
}
