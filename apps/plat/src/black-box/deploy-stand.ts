import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClusterPrograms, clusterPrograms, type ToolScript } from './cluster-programs';
import { Machine, WITHOUT_INTERNET } from './plat-process';

/** The gateway's credential, and the configuration of an environment that has a gateway. */
export const TOKEN = 'gateway-token-1';
export const GATEWAY = 'gateway: { models: [{ id: m }] }\n';
export const SESSION = {
  alias: {
    name: 'main',
    kind: 'platform',
    apiUrl: 'https://plat.example',
    audience: 'plat',
    issuer: 'https://id.example',
    clientId: 'cli',
  },
  refreshToken: 'refresh-1',
  provisionedAt: '2026-11-22T10:00:00Z',
};
/** The answers that each deploy needs. */
export const VIEW: ToolScript = {
  when: /config view/,
  stdout: JSON.stringify({
    'current-context': 'kind-one',
    contexts: [{ name: 'kind-one' }, { name: 'kind-two' }],
  }),
};
export const HELM: ToolScript = { when: /helm version/, stdout: 'v4.3.1+g1\n' };
export const APPLIED: ToolScript = { when: /resourceVersion/, stdout: '41' };

/** A machine with the environment acme dev, and scripted programs. */
export type DeployStand = Awaited<ReturnType<typeof addCluster>>;

/** The configuration of a person. */
export interface DeployFacts {
  /** Lines of the environment's configuration, after its type. */
  config?: string;
  /** The user's own file; empty: there is none. */
  user?: string;
}

/** Stands for the tests of a file, which are removed after the last. */
export function deployStands() {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));
  const create = async () => {
    const machine = await Machine.create();
    machines.push(machine);
    return machine;
  };
  const setUp = async (facts: DeployFacts = {}) => addCluster(await create(), facts);

  /** @returns the path of a file with the gateway's credential */
  async function tokenFile(mode: number): Promise<string> {
    const path = join((await create()).home, 'token');
    await writeFile(path, `${TOKEN}\n`);
    await chmod(path, mode);
    return path;
  }

  /** A stand with a gateway, a session and a sign-in at the registry. */
  async function withSecrets(): Promise<DeployStand> {
    const token = await tokenFile(0o600);
    const stand = await setUp({ config: GATEWAY, user: `gateway: { tokenFile: ${token} }\n` });
    await writeFile(join(stand.folder, 'session.json'), JSON.stringify(SESSION), { mode: 0o600 });
    await mkdir(join(stand.machine.home, '.docker'));
    const auths = { 'https://index.docker.io/v1/': { auth: 'bWU6cGFzcw==' } };
    await writeFile(join(stand.machine.home, '.docker', 'config.json'), JSON.stringify({ auths }));
    return stand;
  }

  return { setUp, withSecrets, tokenFile };
}

async function addCluster(machine: Machine, { config = '', user = '' }: DeployFacts) {
  const folder = join(machine.configFolder, 'acme', 'dev');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'config.yaml'), `type: remote-agent # ours\n${config}`);
  if (user !== '') await writeFile(join(machine.configFolder, 'config.yaml'), user);
  const programs: ClusterPrograms = await clusterPrograms(machine.home);
  await programs.answer([VIEW, HELM, APPLIED]);
  const env = { PATH: programs.path, ...WITHOUT_INTERNET };
  const deploy = (...args: string[]) => machine.plat(['deploy', 'acme', 'dev', ...args], { env });
  return { machine, folder, programs, deploy };
}
