import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { workspaceRoot } from '@plat/local';
import { approved, type ClusterStand, clusterStand, PUSH_TOKEN } from '../black-box/cluster-stand';
import { ended, said } from '../black-box/plat-process';
import type { Finding } from '../doctor/examination';
import type { OpenedChannel } from '../forwards/reconcile-forward';
import type { EnvironmentList } from './environment-list';
import type { McpAccess } from './mcp-access';

jest.setTimeout(600_000);

const NAME = ['acme', 'booted'] as const;
const NAMESPACE = 'acme-booted';
const IDLE_TIMEOUT = '60s';
/** Where the pod keeps its session. */
const SESSIONS = '/home/erun/.config/plat/sessions';
const CHECKOUT = '/home/erun/git/origin';
const OPERATOR = 'Pod Operator <pod@example.com>';
const NOTE = '"$PLAT_OUTPUTS_DIR/note"';

let stand: ClusterStand;

/** Prints what was seen. */
const saw = (line: string) => void process.stdout.write(`  ${line}\n`);
const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await stand.plat(...args);
  if (code !== 0) throw new Error(`plat ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
};
const json = async <T = Record<string, unknown>>(...args: string[]) =>
  JSON.parse(await run(...args, '--json')) as T;
const kubectl = (...args: string[]) => stand.cluster.kubectl('--namespace', NAMESPACE, ...args);
const inPod = (...command: string[]) => stand.inPod(NAMESPACE, ...command);

beforeAll(async () => {
  const { version } = JSON.parse(await readFile(join(workspaceRoot(), 'package.json'), 'utf8')) as {
    version: string;
  };
  stand = await clusterStand(`docker.io/plat/plat-runtime:${version}`);
  saw((await stand.cluster.kubectl('get', 'nodes', '--no-headers', '--output', 'wide')).trim());
});
afterAll(() => stand.stop());

/** The calls of GET /v1/reviews in the audit trail, newest first. */
async function listings(): Promise<Array<{ erunUserId: string; externalUserId: string }>> {
  const { apiUrl, report } = stand.platform;
  const answer = await fetch(`${apiUrl}/v1/audit-events?apiMethod=GET&apiPath=/v1/reviews`, {
    headers: { authorization: `Bearer ${report.accounts.alice?.token}` },
  });
  return ((await answer.json()) as { events: Awaited<ReturnType<typeof listings>> }).events;
}

it('plat init makes the environment, with a session of its own that the issuer exchanges', async () => {
  const { apiUrl } = stand.platform;
  await run('cloud', 'init', 'local', '--api-url', apiUrl);
  const login = stand.onTerminal('cloud', 'login', '--flow', 'device');
  expect((await approved(login, 'alice')).code).toBe(0);
  const tokenFile = join(stand.machine.home, 'push-token');
  await writeFile(tokenFile, PUSH_TOKEN, { mode: 0o600 });
  const git = ['--git-identity', OPERATOR, '--git-credential', `token-file=${tokenFile}`];
  const init = ['init', ...NAME, '--repo-url', stand.remote, '--mutable-source', '--set-default', ...git];
  const made = await json(...init, '--no-deploy');
  saw(JSON.stringify(made));
  expect(made).toMatchObject({
    session: { provisioned: true, by: 'exchanged' },
    registration: { registered: true },
    git: { name: 'Pod Operator', email: 'pod@example.com', credential: 'token-file' },
  });
  const settings = { 'idle.timeout': IDLE_TIMEOUT, 'cloud.alias': 'test-cloud', 'pod.memory': '1Gi' };
  for (const [key, value] of Object.entries(settings)) {
    await run('config', 'set', key, value, '--tenant', NAME[0], '--environment', NAME[1]);
  }
});

it.each([
  [
    'an image that no node gets',
    'runtimeImage: 127.0.0.1:1/none:1\n',
    /^acme-runtime: (?:ErrImagePull|ImagePullBackOff): /m,
    'docker login); then plat deploy acme booted',
  ],
  [
    'a secret that is missing',
    'llmKeySecret: { name: missing, key: key }\n',
    /^acme-runtime: CreateContainerConfigError: secret "missing" not found$/m,
    'then plat deploy acme booted',
  ],
])('plat open shows %s, and ends', async (_what, setting, shown, next) => {
  const file = join(stand.machine.configFolder, ...NAME, 'config.yaml');
  const before = await readFile(file, 'utf8');
  await writeFile(file, `${before}${setting}`);
  await json('deploy', ...NAME);
  const began = Date.now();
  const opened = await stand.plat('open', ...NAME, '--no-shell', '--json');
  saw(`${Date.now() - began} ms: ${opened.stderr.trim()}`);
  expect(Date.now() - began).toBeLessThan(45_000);
  expect(opened.stderr).toMatch(shown);
  expect(opened.json()).toMatchObject({
    code: 'POD_NOT_READY',
    details: { next: expect.stringContaining(next) },
  });
  await writeFile(file, before);
});

it('plat deploy installs it, and its pod boots from the image', async () => {
  expect(await json('deploy', ...NAME)).toMatchObject({
    replicas: 1,
    secrets: ['acme-runtime-session', 'acme-runtime-mcp', 'acme-runtime-git'],
  });
  await json('open', ...NAME, '--no-shell');
  saw((await kubectl('get', 'pods', '--no-headers', '--output', 'wide')).trim());
  const log = await kubectl('logs', 'deployment/acme-runtime');
  saw(log.trim());
  expect(log).toContain('The pod acts with the session of local.');
  expect(log).toContain(`${NAMESPACE} has booted.`);
  expect(await stand.cluster.podProcesses()).not.toEqual([]);
  expect(await inPod('git', '-C', CHECKOUT, 'log', '--format=%s')).toBe('Begin\n');
});

it('plat open connects its channels, and each works again after a daemon or the pod has ended', async () => {
  await servesTools();
  const first = await opened();
  saw(JSON.stringify(first));
  expect(first).toMatchObject({ mcp: { outcome: 'reused' }, sshd: { outcome: 'reused' } });
  // The runtime has no API: nothing is left that could answer in its place.
  expect(first.api).toMatchObject({ outcome: 'failed', message: expect.stringContaining('acme-api') });
  expect(first.api.processId).toBeUndefined();
  await useChannels(first);
  await kubectl('delete', 'pods', '--selector=app.kubernetes.io/instance=acme-runtime', '--wait');
  await kubectl('rollout', 'status', 'deployment/acme-runtime', '--timeout=120s');
  // Nothing but the next connection, on the same ports.
  await servesTools();
  await useChannels(first);
  expect(await opened()).toEqual(first);
  process.kill(first.sshd.processId!, 'SIGKILL');
  const second = await opened();
  saw(JSON.stringify(second));
  expect(second.mcp).toEqual(first.mcp);
  expect(second.sshd).toMatchObject({ outcome: 'started', localPort: first.sshd.localPort });
  await useChannels(second);
  saw((await readFile(second.sshd.logPath, 'utf8')).trim());
});

it("a call of the pod's shell is the operator's in the audit trail", async () => {
  expect(await listings()).toEqual([]);
  const shell = stand.onTerminal('open', ...NAME);
  const end = ended(shell);
  const answered = said(shell, /^.*\[\]\r$/m);
  shell.stdin?.write(`plat review list --json; pwd; echo kept > ${NOTE}\n`);
  await answered;
  const { stopBlockedReason } = await json<{ stopBlockedReason: string }>('idle', ...NAME);
  saw(stopBlockedReason);
  expect(stopBlockedReason).toMatch(/^input at a terminal, \d+ s ago/);
  shell.stdin?.write('exit\n');
  const { code, stdout } = await end;
  saw(stdout.trim().replaceAll('\r', ''));
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^${CHECKOUT}\\r$`, 'm'));
  const rows = await listings();
  saw(JSON.stringify(rows));
  const { userId, subject } = stand.platform.report.accounts.alice!;
  expect(rows).toMatchObject([{ erunUserId: userId, externalUserId: subject }]);
});

it("the pod's renewal of its session does not sign the host out", async () => {
  await expireAccess();
  expect(await inPod('plat', 'cloud', 'status', '--json')).toContain('"username":"alice"');
  expect(await json('cloud', 'status')).toMatchObject({ caller: { username: 'alice' } });
});

it('plat idle names why it does not stop, and then it stops itself with a reason', async () => {
  const idle = await json<{ stopEligible: boolean; stopBlockedReason: string }>('idle', ...NAME);
  saw(`${idle.stopBlockedReason}`);
  // The shell of a second is a use, though it was closed between two looks.
  const stopBlockedReason: unknown = expect.stringMatching(/^input at a terminal, \d+ s ago/);
  expect(idle).toMatchObject({ stopEligible: false, stopBlockedReason });
  const [wait, limit] = ['--for=jsonpath={.spec.replicas}=0', '--timeout=300s'];
  await kubectl('wait', 'deployment/acme-runtime', wait, limit);
  await kubectl('wait', 'pods', '--all', '--for=delete', limit);
  const { environments } = await json<EnvironmentList>('list');
  saw(`${environments[0]?.lastStop?.at}: ${environments[0]?.lastStop?.reason}`);
  expect(environments).toMatchObject([
    {
      isStopped: true,
      lastStop: { reason: expect.stringMatching(/^Idle for at least 60s \(terminal: input at a terminal, /) },
    },
  ]);
  const event = await kubectl(
    'get',
    'events',
    '--field-selector=reason=IdleStop',
    '--output=jsonpath={.items[*].message}',
  );
  expect(event).toBe(environments[0]?.lastStop?.reason);
  expect(await stand.cluster.podProcesses()).toEqual([]);
});

it('plat open wakes it, with its session, its checkout and its outputs', async () => {
  // A pod that does not meet the standard is refused from now on.
  const enforced = 'pod-security.kubernetes.io/enforce=restricted';
  await stand.cluster.kubectl('label', 'namespace', NAMESPACE, enforced);
  expect(await json('open', ...NAME, '--no-shell')).toMatchObject({ started: true });
  const log = await kubectl('logs', 'deployment/acme-runtime');
  saw(log.trim());
  expect(log).toContain("The session with local is the pod's own already.");
  expect(log).not.toContain('Cloned');
  expect(await inPod('sh', '-c', `cat ${NOTE}`)).toBe('kept\n');
  expect(await inPod('plat', 'review', 'list', '--json')).toBe('[]\n');
  expect(await listings()).toHaveLength(2);
});

it('a review is merged from inside the pod, by its operator and with its credential', async () => {
  const inCheckout = (script: string) => inPod('sh', '-c', `cd ${CHECKOUT} && ${script}`);
  await inCheckout(
    'git switch --quiet --create feature && echo new > new.txt && git add new.txt && git commit --quiet --message "Add new"',
  );
  saw(await inCheckout('plat submit --version 1.0.0 --json'));
  const findings = JSON.parse(await inCheckout('plat doctor --json')) as Finding[];
  saw(findings.map(({ check, result, detail }) => `${check} ${result}: ${detail}`).join('\n  '));
  expect(findings.filter(({ result }) => result === 'failed')).toEqual([]);
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'identity', result: 'ok', detail: OPERATOR }),
  );
  const builder: unknown = expect.stringContaining('plat build can build no image here');
  expect(findings).toContainEqual(expect.objectContaining({ check: 'builder', detail: builder }));
  const driven = await inCheckout('plat drive --target-branch main --gate-command "test -f new.txt" --json');
  saw(driven);
  expect(JSON.parse(driven)).toMatchObject({ reviews: [{ outcome: 'MERGED' }] });
  const [review] = JSON.parse(await inPod('plat', 'review', 'list', '--json')) as Array<{ status: string }>;
  expect(review).toMatchObject({ status: 'MERGED' });
  const log = ['log', '-1', '--format=%cn <%ce>: %s', 'main'];
  const landed = await stand.checkout.git('--git-dir', stand.checkout.origin, ...log);
  saw(landed);
  expect(landed).toMatch(new RegExp(`^${OPERATOR}: `));
});

it('plat delete leaves nothing', async () => {
  const held = JSON.parse(await podSession()) as { refreshToken: string };
  // Until now its session can be renewed.
  const { refresh_token: renewed = '' } = await renew(held.refreshToken);
  expect(renewed).not.toBe('');
  const { mcp, sshd } = await opened();
  expect(await Promise.all([mcp, sshd].map(({ localPort }) => listens(localPort)))).toEqual([true, true]);
  const deleted = await json('delete', ...NAME, '--yes');
  saw(JSON.stringify(deleted));
  expect(deleted).toMatchObject({ unregistered: true, sessionRevoked: true });
  const left = await stand.cluster.kubectl(
    'get',
    'namespaces,secrets,persistentvolumeclaims',
    '--all-namespaces',
  );
  expect(left).not.toContain('acme');
  expect(await stand.cluster.podProcesses()).toEqual([]);
  expect(existsSync(join(stand.machine.configFolder, 'acme'))).toBe(false);
  expect(await Promise.all([mcp, sshd].map(({ localPort }) => listens(localPort)))).toEqual([false, false]);
  expect((await json<EnvironmentList>('list')).environments).toEqual([]);
  expect(await renew(renewed)).toMatchObject({ error: 'invalid_grant' });
  while ((await listRegistered()).includes(NAME[1])) await delay(500);
});

type Channels = Record<'mcp' | 'sshd' | 'api', OpenedChannel>;

const opened = async () => (await json<{ channels: Channels }>('open', ...NAME, '--no-shell')).channels;

/** The pod is ready once its SSH server is; the one for tools follows. */
async function servesTools(): Promise<void> {
  while (!/Serving tools on/.test(await kubectl('logs', 'deployment/acme-runtime'))) await delay(500);
}

/** Asks the pod's servers something through the forwards. */
async function useChannels({ mcp, sshd }: Channels): Promise<void> {
  const socket = connect(sshd.localPort, '127.0.0.1');
  const [banner] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  saw(banner.toString().trim());
  expect(banner.toString()).toMatch(/^SSH-2\.0-/);
  // On a connection of its own: one that is kept may be that of a pod that has gone.
  const headers = { connection: 'close' };
  const answer = await fetch(`http://127.0.0.1:${mcp.localPort}/mcp`, { headers });
  saw(`GET /mcp: ${answer.status}`);
  expect(answer.status).toBe(405);
  await answer.body?.cancel();
  await useTools();
}

/** Lists the tools of the pod with the token that `plat open` hands over, and without one. */
async function useTools(): Promise<void> {
  const { mcp } = await json<{ mcp: McpAccess }>('open', ...NAME, '--no-shell');
  const token = (await readFile(mcp.tokenPath, 'utf8')).trim();
  const initialize = (headers: Record<string, string>) =>
    fetch(mcp.url, {
      method: 'POST',
      headers: {
        ...headers,
        connection: 'close',
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'spec', version: '1' },
        },
      }),
    });
  const answers = await Promise.all([initialize({}), initialize({ authorization: `Bearer ${token}` })]);
  saw(`initialize without and with the token: ${answers.map(({ status }) => status).join(', ')}`);
  expect(answers.map(({ status }) => status)).toEqual([401, 200]);
  for (const { body } of answers) await body?.cancel();
}

/** Whether something of this machine listens on the port. */
async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect').then(
    () => (socket.destroy(), true),
    () => false,
  );
}

/** The pod's own file of its session. */
const podSession = () => inPod('sh', '-c', `cat ${SESSIONS}/*.json`);

/** Lets the pod's access token expire, so that its next call renews the session. */
async function expireAccess(): Promise<void> {
  const expired = { ...(JSON.parse(await podSession()) as object), expiresAt: new Date(0).toISOString() };
  await inPod('sh', '-c', `printf %s "$1" > "$(ls ${SESSIONS}/*.json)"`, 'sh', JSON.stringify(expired));
}

/** Asks the identity provider for a new token, as the pod would. */
async function renew(refreshToken: string): Promise<{ refresh_token?: string; error?: string }> {
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: 'plat-cli',
    refresh_token: refreshToken,
  });
  const answer = await fetch(`${stand.platform.report.issuer}/token`, { method: 'POST', body });
  return (await answer.json()) as Awaited<ReturnType<typeof renew>>;
}

/** The names of the environments that the platform has a record of. */
async function listRegistered(): Promise<string[]> {
  return (await json<Array<{ name: string }>>('api', 'GET', '/v1/environments')).map(({ name }) => name);
}
