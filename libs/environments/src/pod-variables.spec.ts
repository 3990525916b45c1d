import type { EnvConfig } from './config/env-config';
import { describeFault } from './fault';
import type { SecretRef } from './variable';
import { type POD_VARIABLES, podVariables, readVariables, type VariableName } from './variables';

type PodName = keyof typeof POD_VARIABLES;
const NAME = { tenant: 'acme', environment: 'dev' };

/** The value of one variable in a pod of the type remote-agent with these fields. */
function setTo(name: PodName, config: Partial<EnvConfig> = {}): string | SecretRef | undefined {
  const pod = {
    name: NAME,
    config: { type: 'remote-agent' as const, ...config },
    hostTimeZone: 'Europe/Berlin',
  };
  return podVariables(pod).find((variable) => variable.name === name)?.value;
}
const read = (name: VariableName, text: string) => readVariables({ [name]: text }, [name]);
const value = (name: VariableName, text: string) => read(name, text).values[name];
const faults = (name: VariableName, ...texts: string[]) =>
  texts.map((text) => read(name, text).faults.map(describeFault).join());

const GATEWAY = { models: [{ id: 'm-1', contextTokens: 200_000, default: true }, { id: 'm-2' }] };
const REGISTRIES = [{ registry: 'r.example', roles: ['build', 'deploy'] }];

/** A test for each row of the contract's table. Spec: Client, Variables set in a runtime pod. */
const ROWS: Record<PodName, () => void> = {
  PLAT_REPO_PATH() {
    expect(setTo('PLAT_REPO_PATH', { repoUrl: 'git@forge.example:team/shop.git' })).toBe(
      '/home/erun/git/shop',
    );
    expect(setTo('PLAT_REPO_PATH', { localRepoPath: '/home/me/work/shop/' })).toBe('/home/erun/git/shop');
    expect(setTo('PLAT_REPO_PATH', { localRepoPath: 'C:\\work\\shop' })).toBe('/home/erun/git/shop');
    expect(setTo('PLAT_REPO_PATH')).toBeUndefined();
    expect(faults('PLAT_REPO_PATH', 'git/shop')).toEqual(['PLAT_REPO_PATH "git/shop" is no absolute path']);
  },
  PLAT_OUTPUTS_DIR() {
    expect(setTo('PLAT_OUTPUTS_DIR')).toBe('/home/erun/.erun/outputs');
    expect(faults('PLAT_OUTPUTS_DIR', 'outputs')).toEqual(['PLAT_OUTPUTS_DIR "outputs" is no absolute path']);
  },
  PLAT_REPO_REMOTE() {
    expect(setTo('PLAT_REPO_REMOTE')).toBe('true');
    expect(setTo('PLAT_REPO_REMOTE', { type: 'runtime' })).toBe('true');
    expect(setTo('PLAT_REPO_REMOTE', { type: 'local-agent' })).toBeUndefined();
    expect([value('PLAT_REPO_REMOTE', 'true'), value('PLAT_REPO_REMOTE', 'false')]).toEqual([true, false]);
    expect(faults('PLAT_REPO_REMOTE', '1')).toEqual(['PLAT_REPO_REMOTE "1" is neither true nor false']);
  },
  PLAT_REPO_URL() {
    const repoUrl = 'https://forge.example/team/shop.git';
    expect(setTo('PLAT_REPO_URL', { repoUrl, mutableSource: true })).toBe(repoUrl);
    expect(setTo('PLAT_REPO_URL', { repoUrl })).toBeUndefined();
    expect(setTo('PLAT_REPO_URL', { mutableSource: true })).toBeUndefined();
    const bad = ['--upload-pack=x', 'shop', 'https://me:secret@forge.example/team/shop'];
    // A message must not repeat an address that may hold a password.
    expect(new Set(faults('PLAT_REPO_URL', ...bad))).toEqual(
      new Set(['PLAT_REPO_URL is no URL of a git remote without credentials']),
    );
  },
  PLAT_REPO_REF() {
    const repoUrl = 'https://forge.example/team/shop.git';
    const release = { repoUrl, mutableSource: true, runtimeVersion: '1.2.3' };
    expect(setTo('PLAT_REPO_REF', release)).toBe('v1.2.3');
    expect(setTo('PLAT_REPO_REF', { ...release, runtimeVersion: undefined })).toBeUndefined();
    expect(setTo('PLAT_REPO_REF', { ...release, mutableSource: false })).toBeUndefined();
    expect(faults('PLAT_REPO_REF', '-x')).toEqual(['PLAT_REPO_REF "-x" is no name of a git ref']);
  },
  PLAT_ENV_TYPE() {
    expect(setTo('PLAT_ENV_TYPE', { type: 'local-agent' })).toBe('local-agent');
    expect(value('PLAT_ENV_TYPE', 'runtime')).toBe('runtime');
    expect(faults('PLAT_ENV_TYPE', 'pod')).toEqual([
      'PLAT_ENV_TYPE "pod" is none of local-agent, remote-agent, runtime',
    ]);
  },
  PLAT_TENANT() {
    expect(setTo('PLAT_TENANT')).toBe('acme');
    expect(faults('PLAT_TENANT', '../x')).toEqual([
      'PLAT_TENANT "../x" is no name of a tenant or environment',
    ]);
  },
  PLAT_ENVIRONMENT() {
    expect(setTo('PLAT_ENVIRONMENT')).toBe('dev');
    expect(faults('PLAT_ENVIRONMENT', 'Dev')).toEqual([
      'PLAT_ENVIRONMENT "Dev" is no name of a tenant or environment',
    ]);
  },
  PLAT_KUBERNETES_CONTEXT() {
    expect(setTo('PLAT_KUBERNETES_CONTEXT', { kubernetesContext: 'laptop' })).toBe('in-cluster');
    expect(value('PLAT_KUBERNETES_CONTEXT', 'in-cluster')).toBe('in-cluster');
  },
  PLAT_NAMESPACE() {
    expect(setTo('PLAT_NAMESPACE')).toBe('acme-dev');
    expect(value('PLAT_NAMESPACE', 'acme-dev')).toBe('acme-dev');
  },
  PLAT_MCP_PORT() {
    expect(setTo('PLAT_MCP_PORT')).toBe('17000');
    expect(setTo('PLAT_MCP_PORT', { localPortRangeStart: 17_200 })).toBe('17200');
    expect(['1024', '65535'].map((text) => value('PLAT_MCP_PORT', text))).toEqual([1024, 65_535]);
    for (const text of ['1023', '65536', '170000', '17e3', ' 17000', '-1', 'mcp', '0x4268', '22']) {
      expect(faults('PLAT_MCP_PORT', text)).toEqual([
        `PLAT_MCP_PORT ${JSON.stringify(text)} is no port from 1024 to 65535`,
      ]);
    }
  },
  PLAT_SSHD_PORT() {
    expect(setTo('PLAT_SSHD_PORT')).toBe('22');
    expect(setTo('PLAT_SSHD_PORT', { localPortRangeStart: 17_200 })).toBe('17222');
    expect(['22', '1024'].map((text) => value('PLAT_SSHD_PORT', text))).toEqual([22, 1024]);
    expect(faults('PLAT_SSHD_PORT', '23')).toEqual([
      'PLAT_SSHD_PORT "23" is neither 22 nor a port from 1024 to 65535',
    ]);
  },
  PLAT_IDLE_TIMEOUT() {
    expect(setTo('PLAT_IDLE_TIMEOUT')).toBe('5m');
    expect(setTo('PLAT_IDLE_TIMEOUT', { idle: { timeout: '1h30m' } })).toBe('1h30m');
    expect(value('PLAT_IDLE_TIMEOUT', '1h30m')).toBe(5_400_000);
    for (const text of ['5 minutes', '0s', '-5m', '300']) {
      expect(faults('PLAT_IDLE_TIMEOUT', text)).toEqual([
        `PLAT_IDLE_TIMEOUT "${text}" is no duration above 0, such as 90s, 5m or 1h30m`,
      ]);
    }
  },
  PLAT_IDLE_WORKING_HOURS() {
    expect(setTo('PLAT_IDLE_WORKING_HOURS')).toBeUndefined();
    expect(setTo('PLAT_IDLE_WORKING_HOURS', { idle: { workingHours: '22:00-06:00' } })).toBe('22:00-06:00');
    expect(value('PLAT_IDLE_WORKING_HOURS', '22:00-06:00')).toEqual({ start: 1320, end: 360 });
    for (const text of ['8-20', '8:00-20:00', '08:00-24:00', '08:60-09:00', '08:00-08:00', '08:00 - 20:00']) {
      expect(faults('PLAT_IDLE_WORKING_HOURS', text)).toEqual([
        `PLAT_IDLE_WORKING_HOURS "${text}" is no span of hours with two different ends, such as 08:00-20:00`,
      ]);
    }
  },
  PLAT_IDLE_TIMEZONE() {
    expect(setTo('PLAT_IDLE_TIMEZONE')).toBe('Europe/Berlin');
    expect(setTo('PLAT_IDLE_TIMEZONE', { idle: { timezone: 'America/Argentina/Ushuaia' } })).toBe(
      'America/Argentina/Ushuaia',
    );
    expect(value('PLAT_IDLE_TIMEZONE', 'UTC')).toBe('UTC');
    for (const text of ['Mars/Base', '+01:00', 'Europe/', '../UTC']) {
      expect(faults('PLAT_IDLE_TIMEZONE', text)).toEqual([
        `PLAT_IDLE_TIMEZONE "${text}" is no IANA time zone, such as Europe/Berlin`,
      ]);
    }
  },
  PLAT_IDLE_TRAFFIC_BYTES() {
    expect(setTo('PLAT_IDLE_TRAFFIC_BYTES')).toBe('65536');
    expect(setTo('PLAT_IDLE_TRAFFIC_BYTES', { idle: { trafficBytes: 0 } })).toBe('0');
    expect(value('PLAT_IDLE_TRAFFIC_BYTES', '9223372036854775807')).toBe(2 ** 63);
    for (const text of ['9223372036854775808', '-1', '64k', '1.5']) {
      expect(faults('PLAT_IDLE_TRAFFIC_BYTES', text)).toEqual([
        `PLAT_IDLE_TRAFFIC_BYTES "${text}" is no whole number from 0 to 2^63-1`,
      ]);
    }
  },
  PLAT_CLOUD_ENVIRONMENT() {
    expect(setTo('PLAT_CLOUD_ENVIRONMENT')).toBeUndefined();
    expect(setTo('PLAT_CLOUD_ENVIRONMENT', { cloud: { alias: 'prod' } })).toBe('prod');
    expect(faults('PLAT_CLOUD_ENVIRONMENT', 'a\nb')).toEqual([
      String.raw`PLAT_CLOUD_ENVIRONMENT "a\nb" is no single line of text`,
    ]);
  },
  PLAT_CLOUD_CONTEXT_NAME() {
    expect(setTo('PLAT_CLOUD_CONTEXT_NAME', { cloud: {} })).toBeUndefined();
    expect(setTo('PLAT_CLOUD_CONTEXT_NAME', { cloud: { contextName: 'main' } })).toBe('main');
  },
  PLAT_CLOUD_PROVIDER() {
    expect(setTo('PLAT_CLOUD_PROVIDER', { cloud: { provider: 'onprem' } })).toBe('onprem');
    expect(value('PLAT_CLOUD_PROVIDER', 'cloud-c')).toBe('cloud-c');
    expect(faults('PLAT_CLOUD_PROVIDER', 'cloud-d')).toEqual([
      'PLAT_CLOUD_PROVIDER "cloud-d" is none of cloud-a, cloud-b, cloud-c, onprem',
    ]);
  },
  PLAT_CLOUD_PROVIDER_ALIAS() {
    expect(setTo('PLAT_CLOUD_PROVIDER_ALIAS', { cloud: { providerAlias: 'main' } })).toBe('main');
  },
  PLAT_CLOUD_REGION() {
    expect(setTo('PLAT_CLOUD_REGION', { cloud: { region: 'eu-west-1' } })).toBe('eu-west-1');
  },
  PLAT_CLOUD_INSTANCE_ID() {
    expect(setTo('PLAT_CLOUD_INSTANCE_ID', { cloud: { instanceId: 'i-1' } })).toBe('i-1');
  },
  CLOUDA_PROFILE() {
    expect(setTo('CLOUDA_PROFILE', { cloud: { provider: 'cloud-a', alias: 'prod' } })).toBe('plat');
    expect(setTo('CLOUDA_PROFILE', { cloud: { provider: 'cloud-a' } })).toBeUndefined();
    expect(setTo('CLOUDA_PROFILE', { cloud: { provider: 'cloud-b', alias: 'prod' } })).toBeUndefined();
    expect(setTo('CLOUDA_PROFILE', { cloud: { alias: 'prod' } })).toBeUndefined();
  },
  CLOUDA_REGION() {
    expect(setTo('CLOUDA_REGION', { cloud: { alias: 'prod', region: 'eu-west-1' } })).toBe('eu-west-1');
    expect(setTo('CLOUDA_REGION')).toBeUndefined();
  },
  AGENT_SMALL_FAST_MODEL_CLOUDA_REGION() {
    const name = 'AGENT_SMALL_FAST_MODEL_CLOUDA_REGION';
    const cloud = { alias: 'prod', region: 'eu-west-1' };
    expect(setTo(name, { cloud })).toBe('eu-west-1');
    expect(setTo(name, { cloud, agent: { smallFastModelRegion: 'us-east-1' } })).toBe('us-east-1');
    expect(setTo(name)).toBeUndefined();
  },
  PLAT_RUNTIME_REGISTRY() {
    expect(setTo('PLAT_RUNTIME_REGISTRY', { runtimeRegistry: 'r.example/plat' })).toBe('r.example/plat');
    expect(setTo('PLAT_RUNTIME_REGISTRY')).toBeUndefined();
  },
  PLAT_CONTAINER_REGISTRIES() {
    const name = 'PLAT_CONTAINER_REGISTRIES';
    const text = '[{"registry":"r.example","roles":["build","deploy"]}]';
    expect(setTo(name, { containerRegistries: REGISTRIES })).toBe(text);
    expect(setTo(name, { containerRegistries: [{ ...REGISTRIES[0]!, note: 'mine' }] })).toBe(text);
    expect(setTo(name, { containerRegistries: [] })).toBeUndefined();
    expect(value(name, text)).toEqual(REGISTRIES);
    const bad = [
      '{',
      '{}',
      '[1]',
      '[null]',
      '[{"registry":"-x","roles":["build"]}]',
      '[{"registry":"r.example"}]',
    ];
    for (const one of [...bad, '[{"registry":"r.example","roles":[]}]', '"r.example"']) {
      expect(faults(name, one)).toEqual([
        expect.stringMatching(/^PLAT_CONTAINER_REGISTRIES .* is no JSON list of/),
      ]);
    }
  },
  PLAT_DISABLE_BUILD_SCRIPT() {
    const name = 'PLAT_DISABLE_BUILD_SCRIPT';
    expect(setTo(name, { disableBuildScript: true })).toBe('true');
    expect(setTo(name, { disableBuildScript: false })).toBe('false');
    expect(setTo(name)).toBeUndefined();
    expect(['1', 't', 'TRUE', '0', 'F', 'false'].map((text) => value(name, text))).toEqual([
      ...[true, true, true],
      ...[false, false, false],
    ]);
    expect(faults(name, 'yes')).toEqual(['PLAT_DISABLE_BUILD_SCRIPT "yes" is neither true nor false']);
  },
  AGENT_USE_ALT_ROUTE_1() {
    expect(setTo('AGENT_USE_ALT_ROUTE_1', { agent: { alternateRoute: 1 } })).toBe('true');
    expect(setTo('AGENT_USE_ALT_ROUTE_1', { agent: { alternateRoute: 2 } })).toBeUndefined();
  },
  AGENT_USE_ALT_ROUTE_2() {
    expect(setTo('AGENT_USE_ALT_ROUTE_2', { agent: { alternateRoute: 2 } })).toBe('true');
    expect(setTo('AGENT_USE_ALT_ROUTE_2', { agent: { alternateRoute: 1 } })).toBeUndefined();
  },
  AGENT_MAX_OUTPUT_TOKENS() {
    expect(setTo('AGENT_MAX_OUTPUT_TOKENS', { agent: { maxOutputTokens: 32_000 } })).toBe('32000');
    expect(setTo('AGENT_MAX_OUTPUT_TOKENS')).toBeUndefined();
    expect(value('AGENT_MAX_OUTPUT_TOKENS', '32000')).toBe(32_000);
    expect(faults('AGENT_MAX_OUTPUT_TOKENS', '0')).toEqual([
      'AGENT_MAX_OUTPUT_TOKENS "0" is no whole number above 0',
    ]);
  },
  PLAT_AGENT_AVAILABLE_MODELS() {
    const name = 'PLAT_AGENT_AVAILABLE_MODELS';
    const agent = { availableModels: ['a', 'b'] };
    expect(setTo(name, { agent })).toBe('a,b');
    expect(setTo(name, { agent, gateway: GATEWAY })).toBe('m-1,m-2');
    expect(setTo(name, { agent: { availableModels: [] } })).toBeUndefined();
    expect(value(name, 'a, b')).toEqual(['a', 'b']);
    expect(faults(name, 'a,,b')).toEqual(['PLAT_AGENT_AVAILABLE_MODELS "a,,b" has an empty entry']);
  },
  LLM_API_KEY() {
    const llmKeySecret = { name: 'llm', key: 'apiKey' };
    expect(setTo('LLM_API_KEY')).toBeUndefined();
    expect(setTo('LLM_API_KEY', { llmKeySecret })).toEqual(llmKeySecret);
    expect(setTo('LLM_API_KEY', { llmKeySecret, gateway: GATEWAY })).toBe('');
    expect(faults('LLM_API_KEY', 'sec\nret')).toEqual(['LLM_API_KEY is no single line of text']);
  },
  LLM_BASE_URL() {
    const baseUrl = 'https://gateway.example/v1';
    expect(setTo('LLM_BASE_URL', { gateway: { ...GATEWAY, baseUrl } })).toBe(baseUrl);
    expect(setTo('LLM_BASE_URL', { gateway: { ...GATEWAY, baseUrl }, cloud: { provider: 'cloud-b' } })).toBe(
      baseUrl,
    );
    expect(setTo('LLM_BASE_URL', { gateway: GATEWAY })).toBeUndefined();
    expect(faults('LLM_BASE_URL', 'https://me:secret@gateway.example')).toEqual([
      'LLM_BASE_URL is no http(s) URL without credentials',
    ]);
  },
  LLM_AUTH_TOKEN() {
    const tokenSecret = { name: 'gateway', key: 'bearer' };
    expect(setTo('LLM_AUTH_TOKEN')).toBeUndefined();
    expect(setTo('LLM_AUTH_TOKEN', { gateway: { ...GATEWAY, tokenSecret } })).toEqual(tokenSecret);
    expect(setTo('LLM_AUTH_TOKEN', { gateway: GATEWAY })).toEqual({
      name: 'acme-runtime-gateway',
      key: 'token',
    });
  },
  AGENT_ENABLE_GATEWAY_MODEL_DISCOVERY() {
    expect(setTo('AGENT_ENABLE_GATEWAY_MODEL_DISCOVERY', { gateway: GATEWAY })).toBe('true');
    expect(setTo('AGENT_ENABLE_GATEWAY_MODEL_DISCOVERY')).toBeUndefined();
  },
  AGENT_MAX_CONTEXT_TOKENS() {
    expect(setTo('AGENT_MAX_CONTEXT_TOKENS', { gateway: GATEWAY })).toBe('200000');
    expect(setTo('AGENT_MAX_CONTEXT_TOKENS', { gateway: { models: [{ id: 'a' }] } })).toBeUndefined();
    expect(setTo('AGENT_MAX_CONTEXT_TOKENS')).toBeUndefined();
  },
};

describe('the variables of a runtime pod', () => {
  it.each(Object.entries(ROWS))('%s', (_name, check) => check());

  it('are left out if they resolve to nothing, and empty only for LLM_API_KEY', () => {
    const pod = {
      name: NAME,
      config: { type: 'local-agent' as const, gateway: GATEWAY },
      hostTimeZone: 'UTC',
    };
    const empty = podVariables(pod).filter((variable) => variable.value === '');
    expect(empty).toEqual([{ name: 'LLM_API_KEY', value: '' }]);
    const least = podVariables({ ...pod, config: { type: 'local-agent' } });
    expect(least.map(({ name }) => name)).toEqual([
      'PLAT_OUTPUTS_DIR',
      'PLAT_ENV_TYPE',
      'PLAT_TENANT',
      'PLAT_ENVIRONMENT',
      'PLAT_KUBERNETES_CONTEXT',
      'PLAT_NAMESPACE',
      'PLAT_MCP_PORT',
      'PLAT_SSHD_PORT',
      'PLAT_IDLE_TIMEOUT',
      'PLAT_IDLE_TIMEZONE',
      'PLAT_IDLE_TRAFFIC_BYTES',
    ]);
  });

  it('that a deploy sets are read without a fault', () => {
    const config: EnvConfig = {
      type: 'remote-agent',
      repoUrl: 'https://forge.example/team/shop.git',
      mutableSource: true,
      runtimeVersion: '1.2.3',
      runtimeRegistry: 'r.example',
      containerRegistries: REGISTRIES,
      localPortRangeStart: 17_100,
      idle: { timeout: '10m', workingHours: '08:00-20:00', timezone: 'UTC', trafficBytes: 1 },
      cloud: {
        alias: 'a',
        contextName: 'c',
        provider: 'cloud-a',
        providerAlias: 'p',
        region: 'eu-west-1',
        instanceId: 'i',
      },
      agent: { alternateRoute: 1, maxOutputTokens: 10 },
      gateway: { ...GATEWAY, baseUrl: 'https://gateway.example' },
      disableBuildScript: true,
    };
    const set = podVariables({ name: NAME, config, hostTimeZone: 'UTC' }).filter(
      ({ value }) => typeof value === 'string',
    );
    const texts = Object.fromEntries(set.map(({ name, value }) => [name, String(value)]));
    const names = set.map(({ name }) => name).filter((name) => name !== 'LLM_API_KEY');
    const result = readVariables(texts, names);
    expect(result.faults).toEqual([]);
    expect(Object.keys(result.values)).toEqual(names);
  });
});

describe('a process that reads several variables', () => {
  it('reports the faults of all, and counts an empty variable as unset', () => {
    const texts = {
      PLAT_TENANT: 'A',
      PLAT_ENVIRONMENT: '',
      PLAT_MCP_PORT: '1',
      PLAT_IDLE_TIMEOUT: '5 minutes',
    };
    const { values, faults } = readVariables(texts, ['PLAT_TENANT', 'PLAT_ENVIRONMENT', 'PLAT_MCP_PORT']);
    expect(values).toEqual({});
    expect(faults.map(({ field }) => field)).toEqual(['PLAT_TENANT', 'PLAT_MCP_PORT']);
  });

  it('refuses a text of more than 64 KB', () => {
    const long = `[${'{"registry":"r.example","roles":["build"]},'.repeat(3000)}1]`;
    expect(faults('PLAT_CONTAINER_REGISTRIES', long)[0]).toMatch(
      /^PLAT_CONTAINER_REGISTRIES .{60}… \(\d+ characters\) is/,
    );
  });
});
