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

/** What a test of the exposure commands changes of the stand. */
export interface ExposureFacts {
  /** The project's own file; undefined: there is none. */
  project?: string | undefined;
  /** The configuration of acme dev. */
  config?: string;
  /** The configuration of the platform's own environment ops main; undefined: there is none. */
  platformConfig?: string | undefined;
}

/** A machine with a project, the environment acme dev, the platform's own environment and a scripted kubectl. */
export async function exposureStand(facts: ExposureFacts = {}) {
  const machine = await Machine.create();
  return { ...(await completed(machine, facts)), dispose: () => machine.remove() };
}

/** The same on a machine that is signed in to a platform. */
export async function exposureStandWithAlias(facts: ExposureFacts = {}) {
  const { machine, platform, dispose } = await signedInMachine();
  return { ...(await completed(machine, facts)), platform, dispose };
}

async function completed(machine: Machine, facts: ExposureFacts) {
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
