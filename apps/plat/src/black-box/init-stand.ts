import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { type ClusterPrograms, clusterPrograms } from './cluster-programs';
import { type PlatOptions, WITHOUT_INTERNET } from './plat-process';
import { signedInMachine } from './signed-in';

/** The person's kubeconfig, as `kubectl config view` shows it. */
export const VIEW = JSON.stringify({
  'current-context': 'kind-one',
  contexts: [{ name: 'kind-one' }, { name: 'kind-two' }],
});
export const ID = '0198f2a4-0000-7000-8000-000000000001';
const OTHER_ID = '0198f2a4-0000-7000-8000-000000000002';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** The features of the double of the identity provider. */
export interface InitProvider {
  exchange?: boolean;
  rotates?: boolean;
}

/** The record of an environment of the platform's tenant, which is acme. */
function recordOf(name: unknown) {
  return { environmentId: name === 'dev' ? ID : OTHER_ID, name, namespace: `acme-${String(name)}` };
}

/** Prepares a machine that is signed in, with the programs that plat init starts, and a platform. */
export async function setUpInit({ exchange = true, rotates = true }: InitProvider = {}) {
  const { machine, platform, sessionPath, dispose } = await signedInMachine();
  const programs: ClusterPrograms = await clusterPrograms(machine.home);
  await programs.answer([
    { when: /config view/, stdout: VIEW },
    { when: /^helm version/, stdout: 'v3.18.1\n' },
  ]);
  platform.answer('GET /.well-known/openid-configuration', {
    body: {
      issuer: platform.url,
      token_endpoint: `${platform.url}/token`,
      grant_types_supported: ['refresh_token', ...(exchange ? [EXCHANGE] : [])],
    },
  });
  platform.answer('POST /token', ({ body }) => {
    const given = body?.grant_type === EXCHANGE ? 'refresh-of-pod' : rotates ? 'refresh-2' : undefined;
    const answer = { access_token: 'access-1', token_type: 'bearer', expires_in: 3600 };
    return { body: given === undefined ? answer : { ...answer, refresh_token: given } };
  });
  platform.answer('GET /v1/environments', { body: [] });
  platform.answer('POST /v1/environments', ({ body }) => ({
    body: recordOf(body?.name),
  }));
  platform.answer(`GET /v1/environments/${ID}`, { body: recordOf('dev') });
  const read = (path: string) => readFile(join(machine.configFolder, path), 'utf8');
  const run = (args: string[], options: PlatOptions = {}) =>
    machine.plat(['init', ...args, '--json'], {
      ...options,
      env: { PATH: programs.path, ...WITHOUT_INTERNET, ...options.env },
    });
  return {
    machine,
    platform,
    programs,
    sessionPath,
    read,
    config: async (path: string) => parse(await read(`${path}config.yaml`)) as Record<string, unknown>,
    init: (...args: string[]) => run(args),
    run,
    async write(path: string, text: string) {
      const file = join(machine.configFolder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    },
    dispose,
  };
}
export type InitStand = Awaited<ReturnType<typeof setUpInit>>;
