import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clusterPrograms, type ToolScript } from './cluster-programs';
import { Machine, type PlatOptions } from './plat-process';
import { signedInMachine } from './signed-in';

/** The answer of Debian's kubectl, the oldest one that is supported. */
export const KUBECTL_VERSION: ToolScript = {
  when: /kubectl version/,
  stdout: JSON.stringify({ clientVersion: { major: '1', minor: '20', gitVersion: 'v1.20.2' } }),
};
const CONTEXTS: ToolScript = {
  when: /config view/,
  stdout: JSON.stringify({
    'current-context': 'kind-two',
    contexts: [{ name: 'kind-one' }, { name: 'kind-two' }, { name: 'kind-ops' }],
  }),
};
/** A platform block that nothing is wrong with. */
export const BLOCK = 'platform: { basedomain: example.com, env: ops-main }\n';
export const TOKEN = 'broker-token-1';
/** The environment acme dev on the platform. */
export const ENVIRONMENT_ID = '0198f2a4-0000-7000-8000-000000000001';
export const REGISTERED = { environmentId: ENVIRONMENT_ID, name: 'dev', namespace: 'acme-dev' };
/** Its public names, and the command that removes their record. */
export const WILDCARD = '*.acme-dev.services.example.com';
export const REMOVAL =
  'kubectl --context kind-ops --namespace ops-main exec deploy/ops-dns -- pdnsutil --config-dir=/etc/pdns-shared delete-rrset services.example.com *.acme-dev A';

/** The parts of the stand that a test of the exposure commands changes. */
export interface ExposureFacts {
  /** The project's own file; undefined: there is none. */
  project?: string | undefined;
  /** The configuration of acme dev. */
  config?: string;
  /** The configuration of the platform's own environment ops main; undefined: there is none. */
  platformConfig?: string | undefined;
}

/** Stands for the tests of a file; each is removed after its test. */
export function exposureStands() {
  const disposals: Array<() => Promise<unknown>> = [];
  afterEach(async () => {
    for (const dispose of disposals.splice(0)) await dispose();
  });
  return {
    /** A machine with a project, the environment acme dev, the platform's own environment and a scripted kubectl. */
    async start(facts: ExposureFacts = {}) {
      const machine = await Machine.create();
      disposals.push(() => machine.remove());
      return addCluster(machine, facts);
    },
    /** The same on a machine that is signed in to a platform, on which the environment is registered. */
    async startWithAlias(facts: ExposureFacts = {}) {
      const { machine, platform, dispose } = await signedInMachine();
      disposals.push(dispose);
      platform.answer('GET /v1/environments', { body: [REGISTERED] });
      platform.answer(`DELETE /v1/environments/${ENVIRONMENT_ID}/hostname`, {});
      return { ...(await addCluster(machine, facts)), platform };
    },
  };
}

async function addCluster(machine: Machine, facts: ExposureFacts) {
  const { project, config, platformConfig } = {
    project: BLOCK,
    config: 'type: runtime\nkubernetesContext: kind-one\n',
    platformConfig: 'type: runtime\nkubernetesContext: kind-ops\n',
    ...facts,
  };
  const folder = join(machine.home, 'shop');
  await mkdir(join(folder, '.git'), { recursive: true });
  const write = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  if (project !== undefined) await write(join(folder, '.plat', 'config.yaml'), project);
  await write(join(machine.configFolder, 'acme', 'dev', 'config.yaml'), config);
  if (platformConfig !== undefined) {
    await write(join(machine.configFolder, 'ops', 'main', 'config.yaml'), platformConfig);
  }
  const programs = await clusterPrograms(machine.home, ['kubectl']);
  const answer = (...scripts: ToolScript[]) => programs.answer([...scripts, KUBECTL_VERSION, CONTEXTS]);
  await answer();
  /** Runs a command in the project's folder. */
  const run = (args: readonly string[], options: PlatOptions = {}) =>
    machine.plat(args, { cwd: folder, ...options, env: { PATH: programs.path, ...options.env } });
  return {
    machine,
    programs,
    folder,
    write,
    answer,
    run,
    expose: (...args: string[]) => run(['expose', 'acme', 'dev', 'mcp', '--no-wait', ...args]),
    unexpose: (...args: string[]) => run(['unexpose', 'acme', 'dev', ...args]),
    /** The calls of kubectl, without those that read this machine only. */
    calls: async () => (await programs.calls()).filter(({ argv }) => !isLocal(argv)),
    /** The flags of a certificate, with a file for the token. */
    async dns01(mode = 0o600): Promise<string[]> {
      const path = join(machine.home, 'token');
      await writeFile(path, `${TOKEN}\n`);
      await chmod(path, mode);
      const broker = ['--dns01-broker-url', 'https://broker.example.com'];
      return ['--dns01-token-file', path, ...broker, '--acme-email', 'ops@example.com'];
    },
  };
}

function isLocal(argv: readonly string[]): boolean {
  return argv.includes('version') || argv.includes('config');
}
