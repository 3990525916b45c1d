import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeFault } from '../fault';
import { PLACE_VARIABLES } from '../place-variables';
import type { PodVariable } from '../variable';
import { POD_VARIABLES } from '../variables';
import { checkConfig, fieldOf, parseEnvConfig } from './check-config';
import { renderEnvConfig, renderEnvConfigSchema } from './render-env-config';

const faults = (level: Parameters<typeof checkConfig>[0], content: unknown) =>
  checkConfig(level, content).faults.map(describeFault);
const environment = (fields: object) => faults('environment', { type: 'runtime', ...fields });

const WHOLE = {
  type: 'remote-agent',
  kubernetesContext: 'kind-dev',
  localRepoPath: '/home/me/shop',
  repoUrl: 'git@forge.example:team/shop.git',
  mutableSource: true,
  git: {
    name: 'Alice Doe',
    email: 'alice@example.com',
    credential: { tokenFile: '/home/me/token', user: 'oauth2' },
  },
  runtimeVersion: '1.2.3-snapshot-20261122120000',
  runtimeImage: 'r.example/plat/runtime:1.2.3',
  runtimeRegistry: 'r.example:5000/plat',
  containerRegistries: [{ registry: 'localhost:5000', roles: ['build', 'deploy'] }],
  localPortRangeStart: 17_000,
  environmentId: '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11',
  alias: 'work',
  idle: { timeout: '10m', workingHours: '22:00-06:00', timezone: 'Europe/Berlin', trafficBytes: 0 },
  cloud: {
    alias: 'prod',
    contextName: 'main',
    provider: 'cloud-a',
    providerAlias: 'main',
    region: 'eu-west-1',
    instanceId: 'i-1',
    identityRegion: 'eu-north-1',
  },
  agent: {
    alternateRoute: 2,
    maxOutputTokens: 32_000,
    availableModels: ['a'],
    smallFastModelRegion: 'us-east-1',
  },
  gateway: {
    baseUrl: 'https://gateway.example/v1',
    models: [{ id: 'vendor/model', contextTokens: 200_000, default: true }],
    tokenSecret: { name: 'gateway', key: 'token' },
  },
  llmKeySecret: { name: 'llm', key: 'apiKey' },
  disableBuildScript: false,
  mcpEnabled: true,
  stopped: false,
  pod: { cpu: 2, memory: '4Gi' },
};

describe('the configuration of an environment, Rule H4,', () => {
  it('has these fields', () => {
    expect(checkConfig('environment', WHOLE)).toEqual({ faults: [], unknown: [] });
    expect(parseEnvConfig(WHOLE)).toEqual(WHOLE);
    expect(checkConfig('environment', { type: 'runtime' })).toEqual({ faults: [], unknown: [] });
  });

  it.each<[object, string]>([
    [{ type: 'pod' }, 'type "pod" is none of local-agent, remote-agent, runtime'],
    [{ type: undefined }, 'type is missing'],
    [{ kubernetesContext: 7 }, 'kubernetesContext 7 is no name of a context'],
    [{ localRepoPath: 'shop' }, 'localRepoPath "shop" is no absolute path'],
    [{ mutableSource: 'yes' }, 'mutableSource "yes" is neither true nor false'],
    [{ git: { name: 'Alice <a@b>' } }, 'git.name "Alice <a@b>" is no name of a person'],
    [{ git: { email: 'alice' } }, 'git.email "alice" is no e-mail address'],
    [{ git: { credential: { sshKeyFile: 'key' } } }, 'git.credential.sshKeyFile "key" is no absolute path'],
    [
      { git: { credential: { sshKeyFile: '/key', helper: 'store' } } },
      'git.credential {"sshKeyFile":"/key","helper":"store"} names not exactly one of sshKeyFile, tokenFile and helper',
    ],
    [
      { git: { credential: {} } },
      'git.credential {} names not exactly one of sshKeyFile, tokenFile and helper',
    ],
    [{ runtimeVersion: 1.2 }, 'runtimeVersion 1.2 is no version, such as 1.2.3'],
    [{ runtimeImage: '--x' }, 'runtimeImage "--x" is no reference of an image'],
    [{ localPortRangeStart: 65_437 }, 'localPortRangeStart 65437 is no port from 1024 to 65436'],
    [{ localPortRangeStart: '17000' }, 'localPortRangeStart "17000" is no port from 1024 to 65436'],
    [{ environmentId: 'dev' }, 'environmentId "dev" is no id'],
    [
      { idle: { timeout: '5 minutes' } },
      'idle.timeout "5 minutes" is no duration above 0, such as 90s, 5m or 1h30m',
    ],
    [
      { idle: { workingHours: '8-20' } },
      'idle.workingHours "8-20" is no span of hours with two different ends, such as 08:00-20:00',
    ],
    [
      { idle: { timezone: 'Mars/Base' } },
      'idle.timezone "Mars/Base" is no IANA time zone, such as Europe/Berlin',
    ],
    [{ idle: { trafficBytes: -1 } }, 'idle.trafficBytes -1 is no whole number from 0'],
    [{ idle: '5m' }, 'idle "5m" is no mapping'],
    [{ idle: null }, 'idle null is no mapping'],
    [
      { containerRegistries: [WHOLE.containerRegistries[0], { registry: 'r.example', roles: [] }] },
      'containerRegistries[1].roles [] names no role, such as build or deploy',
    ],
    [{ containerRegistries: [{ registry: 'r.example' }] }, 'containerRegistries[0].roles is missing'],
    [{ containerRegistries: 'r.example' }, 'containerRegistries "r.example" is no list'],
    [
      { cloud: { provider: 'cloud-d' } },
      'cloud.provider "cloud-d" is none of cloud-a, cloud-b, cloud-c, onprem',
    ],
    [{ cloud: { region: '' } }, 'cloud.region "" is no region: use lower-case letters, digits and hyphens'],
    [{ agent: { alternateRoute: 3 } }, 'agent.alternateRoute 3 is neither 1 nor 2'],
    [{ agent: { availableModels: ['a,b'] } }, 'agent.availableModels[0] "a,b" is no id of a model'],
    [{ gateway: {} }, 'gateway.models is missing'],
    [{ gateway: { models: [] } }, 'gateway.models [] names no model'],
    [
      { llmKeySecret: { name: 'llm', key: 'a/b' } },
      'llmKeySecret.key "a/b" is no key of a Kubernetes secret',
    ],
    [{ pod: { cpu: 'much' } }, 'pod.cpu "much" is no quantity of Kubernetes, such as 500m, 2 or 4Gi'],
  ])('refuses %j with field and value', (fields, message) => {
    expect(environment(fields)).toEqual([message]);
  });

  it('refuses a gateway with two default models', () => {
    const models = [
      { id: 'a', default: true },
      { id: 'b', default: true },
    ];
    expect(environment({ gateway: { models } })).toEqual([
      expect.stringMatching(/^gateway.models .* has more than one/),
    ]);
  });

  it('never repeats an address that may hold a password', () => {
    const repoUrl = 'https://me:secret@forge.example/team/shop';
    const gateway = { baseUrl: 'https://me:secret@gateway.example', models: [{ id: 'a' }] };
    expect(environment({ repoUrl, gateway })).toEqual([
      'repoUrl is no URL of a git remote without credentials',
      'gateway.baseUrl is no http(s) URL without credentials',
    ]);
  });

  it('names all faults at once, each cut to its beginning', () => {
    const found = environment({ idle: { timeout: 'x'.repeat(100_000), timezone: 'Mars/Base' }, stopped: 1 });
    expect(found).toHaveLength(3);
    expect(Math.max(...found.map((text) => text.length))).toBeLessThan(200);
  });

  it.each([[null], [[]], ['text'], [7]])('is no %j', (content) => {
    expect(faults('environment', content)).toEqual([`the file ${JSON.stringify(content)} is no mapping`]);
  });

  it('keeps unknown keys and names them', () => {
    const content = {
      ...WHOLE,
      colour: 'red',
      pod: { cpu: 1, gpu: 1 },
      containerRegistries: [{ registry: 'r', roles: ['build'], note: 1 }],
    };
    const { faults: found, unknown } = checkConfig('environment', content);
    expect(found).toEqual([]);
    expect(unknown.map(fieldOf)).toEqual(['containerRegistries[0].note', 'pod.gpu', 'colour']);
    expect(parseEnvConfig(content)).toEqual(content);
  });

  it('has every field that a variable comes from', () => {
    const page = renderEnvConfig();
    const rows: PodVariable[] = Object.values(POD_VARIABLES);
    for (const path of new Set(rows.flatMap(({ from }) => from))) expect(page).toContain(`| \`${path}\``);
    expect(PLACE_VARIABLES.PLAT_REPO_PATH.from).toContain('repoUrl');
  });

  it('has a JSON schema that is published', () => {
    const published = JSON.parse(renderEnvConfigSchema()) as { properties: object; required: string[] };
    expect(Object.keys(published.properties)).toEqual(Object.keys(WHOLE));
    expect(published.required).toEqual(['type']);
    const file = join(__dirname, '../../../../docs/environment-config.schema.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(published);
  });
});

describe("the user's and a tenant's configuration, Rule H3,", () => {
  it('name the defaults', () => {
    const user = {
      defaultTenant: 'acme',
      defaultAlias: 'work',
      cloudAliases: [{ name: 'work', kind: 'platform' }],
    };
    expect(checkConfig('user', user)).toEqual({ faults: [], unknown: [] });
    expect(checkConfig('tenant', { defaultEnvironment: 'dev' })).toEqual({ faults: [], unknown: [] });
  });

  it('refuse a wrong value', () => {
    expect(faults('user', { defaultTenant: '../x', platform: { registry: 'https://r' } })).toEqual([
      'defaultTenant "../x" is no name: use lower-case letters, digits and hyphens',
      'platform.registry "https://r" is no registry: give a host with an optional port',
    ]);
    expect(faults('tenant', { defaultEnvironment: '' })).toHaveLength(1);
  });
});

describe("the project's own file, Rule H3,", () => {
  it('has the block platform', () => {
    const platform = {
      basedomain: 'example.com',
      serviceszone: 'eu.services.example.com',
      env: 'ops-main-two',
      ingressclassname: 'nginx',
      dnsconfigdir: '/etc/pdns',
    };
    expect(faults('project', { platform })).toEqual([]);
    expect(faults('project', {})).toEqual([]);
    expect(faults('project', { platform: {} })).toEqual([]);
  });

  it.each(['example.com', 'apps.example.com', 'eu.services.example.com'])(
    'takes the base domain and each name below it as services zone: %s',
    (serviceszone) => {
      expect(faults('project', { platform: { basedomain: 'example.com', serviceszone } })).toEqual([]);
    },
  );

  it('refuses a services zone that only ends like the base domain', () => {
    const platform = { basedomain: 'example.com', serviceszone: 'myexample.com' };
    expect(faults('project', { platform })).toHaveLength(1);
  });

  it('has the block git with the kind of the credential', () => {
    expect(faults('project', { git: { credential: 'ssh-key' } })).toEqual([]);
    expect(faults('project', { git: { credential: 'password' } })).toEqual([
      'git.credential "password" is none of ssh-key, token-file, helper',
    ]);
    expect(faults('project', { git: { credential: 'helper', helper: 'store' } })).toEqual([
      'git.helper is no known key',
    ]);
  });

  it('has the block gate with a command', () => {
    expect(faults('project', { gate: { command: 'npm test' } })).toEqual([]);
    expect(faults('project', { gate: { command: 'npm test', refuseUndone: true } })).toEqual([]);
    expect(faults('project', { gate: { refuseUndone: true } })).toEqual([]);
  });

  it.each<[object, string]>([
    [{ platform: { env: 'ops-main' } }, 'platform.basedomain is missing'],
    [
      { platform: { basedomain: 'example' } },
      'platform.basedomain "example" is no domain, such as example.com',
    ],
    [
      { platform: { basedomain: 'example.com', serviceszone: 'services.example.org' } },
      'platform.serviceszone "services.example.org" is neither example.com nor a name below it',
    ],
    [{ platform: { basedomain: 'example.com', env: 'main' } }, 'platform.env "main" is no <tenant>-<env>'],
    [{ platform: { basedomain: 'example.com', zone: 'x' } }, 'platform.zone is no known key'],
    [{ platfrom: {} }, 'platfrom is no known key'],
    [{ gate: {} }, 'gate {} has neither command nor refuseUndone'],
    [{ gate: { refuseUndone: 'yes' } }, 'gate.refuseUndone "yes" is neither true nor false'],
    [{ gate: { command: ' ' } }, 'gate.command " " is no command of one line'],
    [{ gate: { command: 'a\nb' } }, 'gate.command "a\\nb" is no command of one line'],
    [{ gate: { command: 'a', timeout: 1 } }, 'gate.timeout is no known key'],
    [{ gate: 'npm test' }, 'gate "npm test" is no mapping'],
    [{ platform: 'example.com' }, 'platform "example.com" is no mapping'],
  ])('refuses %j', (content, message) => {
    expect(faults('project', content)).toEqual([message]);
  });
});
