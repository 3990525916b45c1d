import type { ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterPrograms, type ToolScript } from '../black-box/cluster-programs';
import { ended } from '../black-box/plat-process';
import type { ScriptedAnswer } from '../black-box/platform-double';
import { signedInMachine } from '../black-box/signed-in';

const VIEW: ToolScript = {
  when: /config view/,
  stdout: JSON.stringify({ 'current-context': 'kind-one', contexts: [{ name: 'kind-one' }] }),
};
const HELM: ToolScript = { when: /^helm version/, stdout: 'v3.18.1\n' };
/** Prints the uid of the namespace that it creates. */
const CREATE: ToolScript = { when: /^kubectl .*create/, stdout: 'uid-1' };
const ID = '0198f2a4-0000-7000-8000-000000000001';
const RECORD = { environmentId: ID, name: 'dev', type: 'remote-agent', namespace: 'acme-dev' };
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** A machine whose platform keeps the environments that are created. */
async function setUp() {
  const { machine, platform, dispose } = await signedInMachine();
  const programs = await clusterPrograms(machine.home);
  await programs.answer([VIEW, HELM, CREATE]);
  const records: (typeof RECORD)[] = [];
  let tokens = 0;
  const routes: Record<string, ScriptedAnswer> = {
    'GET /.well-known/openid-configuration': {
      body: {
        issuer: platform.url,
        token_endpoint: `${platform.url}/token`,
        grant_types_supported: ['refresh_token', EXCHANGE],
      },
    },
    'POST /token': () => {
      tokens += 1;
      const body = { access_token: 'access-1', token_type: 'bearer', expires_in: 3600 };
      return { body: { ...body, refresh_token: `refresh-${tokens}` } };
    },
    'GET /v1/environments': () => ({ body: [...records] }),
    'POST /v1/environments': () => {
      records.push(RECORD);
      return { body: RECORD };
    },
    [`GET /v1/environments/${ID}`]: { body: RECORD },
  };
  for (const [route, answer] of Object.entries(routes)) platform.answer(route, answer);
  const start = (...args: string[]) =>
    machine.start(['init', 'acme', 'dev', '--json', ...args], { env: { PATH: programs.path } });
  const folder = join(machine.configFolder, 'acme', 'dev');
  return {
    programs,
    records,
    dispose,
    start,
    /** Without the daily backups. */
    files: async () => (await readdir(folder)).filter((file) => !file.endsWith('.bak')),
    read: (file: string) => readFile(join(folder, file), 'utf8'),
    /** Sends the signal to the client when the request arrives, and answers it as before. */
    signalAt(route: string, signal: NodeJS.Signals, child: Promise<ChildProcess>) {
      const usual = routes[route]!;
      platform.answer(route, (request) => {
        void child.then((started) => started.kill(signal));
        platform.answer(route, usual);
        return typeof usual === 'function' ? usual(request) : usual;
      });
    },
  };
}
type Bundle = Awaited<ReturnType<typeof setUp>>;

let bundle: Bundle;
beforeEach(async () => (bundle = await setUp()));
afterEach(() => bundle.dispose());

const CONFIG = `type: remote-agent
kubernetesContext: kind-one
alias: work
localPortRangeStart: 17000
environmentId: ${ID}
`;
const signals = ['SIGKILL', 'SIGINT'] as const;
const each = <Step>(steps: readonly Step[]) =>
  steps.flatMap((step) => signals.map((s) => [step, s] as const));

describe('an init that is stopped in the middle is completed by the same command', () => {
  it.each(each(['POST /token', 'GET /v1/environments', 'POST /v1/environments']))(
    'at %s, by %s',
    async (route, signal) => {
      const child = bundle.start();
      bundle.signalAt(route, signal, child);
      await expectStop(signal, await child);
      await completes();
    },
  );

  it.each(each(['config view', 'apply --filename', 'apply .*--output', 'helm .*upgrade']))(
    'at %s, by %s',
    async (call, signal) => {
      const stopping: ToolScript = { when: new RegExp(call), signals: signal };
      await bundle.programs.answer([stopping, VIEW, HELM, CREATE]);
      await expectStop(signal, await bundle.start());
      await bundle.programs.answer([VIEW, HELM, CREATE]);
      await completes();
    },
  );
});

async function expectStop(signal: NodeJS.Signals, child: ChildProcess): Promise<void> {
  const { code, stdout } = await ended(child);
  expect(code).toBe(signal === 'SIGKILL' ? null : 1);
  if (signal === 'SIGINT') expect(JSON.parse(stdout)).toMatchObject({ code: 'INTERRUPTED' });
}

/** One environment, one record, one session and nothing half-written, as after an init that no one stopped. */
async function completes(): Promise<void> {
  const { code, json } = await ended(await bundle.start());
  expect(code).toBe(0);
  expect(json()).toMatchObject({
    session: { provisioned: true },
    registration: { registered: true, environmentId: ID },
    deployed: { release: 'acme-runtime', replicas: 1 },
  });
  expect(bundle.records).toEqual([RECORD]);
  expect(await bundle.read('config.yaml')).toBe(CONFIG);
  expect(await bundle.read('namespace-uid')).toBe('uid-1\n');
  expect((await bundle.files()).sort()).toEqual(['config.yaml', 'namespace-uid', 'session.json']);
}
