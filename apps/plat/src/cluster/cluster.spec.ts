import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClusterPrograms, clusterPrograms } from '../black-box/cluster-programs';
import { traced } from '../terminal/trace';
import { openCluster } from './cluster';
import { expectContext, readContexts } from './contexts';
import { requireKubectl } from './kubectl-version';

const PATH = process.env.PATH;
const VIEW = JSON.stringify({
  'current-context': 'kind-one',
  contexts: [{ name: 'kind-two' }, { name: 'kind-one' }],
});
let folder: string;
let programs: ClusterPrograms;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-cluster-'));
  programs = await clusterPrograms(folder);
  process.env.PATH = programs.path;
});
afterEach(async () => {
  process.env.PATH = PATH;
  await rm(folder, { recursive: true });
});

const cluster = (interrupted?: AbortSignal) =>
  openCluster({ context: 'kind-one', namespace: 'acme-dev' }, interrupted);
const failing = (stderr: string) => programs.answer([{ when: /./, stderr, code: 1 }]);

describe('kubectl and helm', () => {
  it('get the context, the namespace and stdin. Rule H7', async () => {
    await cluster().kubectl.run(['apply', '--filename', '-'], { input: '{"kind":"Secret"}' });
    await cluster().helm.run(['list']);
    await openCluster({}).kubectl.run(['get', 'nodes']);
    expect(await programs.calls()).toEqual([
      {
        argv: ['kubectl', '--context', 'kind-one', '--namespace', 'acme-dev', 'apply', '--filename', '-'],
        input: '{"kind":"Secret"}',
      },
      { argv: ['helm', '--kube-context', 'kind-one', 'list'], input: '' },
      { argv: ['kubectl', 'get', 'nodes'], input: '' },
    ]);
  });

  it('return their stdout, and with try their answer for any exit code', async () => {
    await programs.answer([
      { when: /get/, stdout: 'deployment\n' },
      { when: /./, stderr: 'no', code: 3 },
    ]);
    expect(await cluster().kubectl.run(['get', 'deployment'])).toBe('deployment\n');
    expect(await cluster().helm.try(['status'])).toEqual({ code: 3, stdout: '', stderr: 'no' });
  });

  it("run without the user's preferences for kubectl", async () => {
    await writeFile(join(folder, 'cluster-programs', 'kubectl'), '#!/bin/sh\necho "$KUBERC"\n');
    expect(await cluster().kubectl.run(['delete', 'namespace', 'acme-dev'])).toBe('off\n');
  });

  it('a program that is not installed is named, with its home', async () => {
    process.env.PATH = join(folder, 'empty');
    const failure = cluster().helm.run(['list']);
    await expect(failure).rejects.toMatchObject({
      code: 'PROGRAM_MISSING',
      message: 'helm is not on the PATH.',
    });
    await expect(failure).rejects.toHaveProperty('next', expect.stringContaining('https://helm.sh'));
  });

  it('a secret of the input appears in no message and no trace, as it is or in base64', async () => {
    const secret = 'tok"en-1';
    const shown = `${JSON.stringify({ a: secret })} ${Buffer.from(secret).toString('base64')}`;
    await failing(`The request is invalid: ${shown}`);
    const traces: string[] = [];
    const run = traced(
      (line) => traces.push(line),
      () => cluster().kubectl.run(['apply', '--filename', '-'], { input: secret, secrets: [secret] }),
    );
    const failure = await run.catch((error: Error) => error);
    expect(failure).toMatchObject({ code: 'KUBECTL_FAILED' });
    const texts = [JSON.stringify(failure), String(failure), ...traces].join('\n');
    expect(texts).toContain('The request is invalid: {"a":"***"} ***');
    expect(texts).not.toContain(Buffer.from(secret).toString('base64'));
  });

  it('is ended when its time is over', async () => {
    await programs.answer([{ when: /./, hangs: true }]);
    await expect(cluster().kubectl.run(['get', 'pods'], { deadlineSeconds: 0.5 })).rejects.toMatchObject({
      code: 'CLUSTER_TIMED_OUT',
      message: 'kubectl was ended after 0.5 s without an answer.',
    });
  });

  it('is ended when it prints without an end, as for a hostile API server', async () => {
    await writeFile(join(folder, 'cluster-programs', 'kubectl'), '#!/bin/sh\nexec yes\n');
    await expect(cluster().kubectl.run(['get', 'pods'])).rejects.toMatchObject({
      code: 'CLUSTER_OUTPUT_TOO_LONG',
    });
  });

  it('is ended when the command is interrupted, and none runs after that', async () => {
    await programs.answer([{ when: /./, hangs: true }]);
    const stop = new AbortController();
    const run = cluster(stop.signal).helm.run(['upgrade']);
    const settled = run.catch((error: Error) => error);
    while ((await programs.calls()).length === 0) await new Promise(setImmediate);
    stop.abort(new Error('stopped'));
    expect(await settled).toMatchObject({ message: 'stopped' });
    await expect(cluster(stop.signal).kubectl.run(['get', 'pods'])).rejects.toThrow('stopped');
    expect(await programs.calls()).toHaveLength(1);
  });
});

/** Messages of kubectl 1.32 and 1.36, helm 3 and helm 4, with their codes. */
const MESSAGES: ReadonlyArray<[string, string]> = [
  ['error: context "nope" does not exist', 'CONTEXT_NOT_FOUND'],
  ['Error in configuration: context was not found for specified context: nope', 'CONTEXT_NOT_FOUND'],
  ['Error: kubernetes cluster unreachable: context "nope" does not exist', 'CONTEXT_NOT_FOUND'],
  [
    'error: error loading config file "/home/me/.kube": read /home/me/.kube: is a directory',
    'KUBECONFIG_UNREADABLE',
  ],
  [
    'The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?',
    'CLUSTER_UNREACHABLE',
  ],
  [
    'Error: Kubernetes cluster unreachable: Get "https://127.0.0.1:1/version": dial tcp 127.0.0.1:1: connect: connection refused',
    'CLUSTER_UNREACHABLE',
  ],
  ['Unable to connect to the server: dial tcp: lookup k.example: no such host', 'CLUSTER_UNREACHABLE'],
  ['error: You must be logged in to the server (Unauthorized)', 'CLUSTER_REFUSED'],
  ['error: EOF', 'CLUSTER_REFUSED'],
  ['error: error reading input for Password', 'CLUSTER_REFUSED'],
  [
    'Error from server (Forbidden): namespaces is forbidden: User "stranger" cannot create resource "namespaces"',
    'CLUSTER_REFUSED',
  ],
  [
    'Error from server (Forbidden): secrets "x" is forbidden: unable to create new content in namespace acme-dev because it is being terminated',
    'NAMESPACE_TERMINATING',
  ],
  [
    'Error from server (Forbidden): persistentvolumeclaims "x" is forbidden: exceeded quota: small, requested: requests.storage=20Gi',
    'CLUSTER_POLICY',
  ],
  [
    'Error from server (InternalError): failed calling webhook "a.example": connect: connection refused',
    'CLUSTER_WEBHOOK_FAILED',
  ],
  ['Error from server (NotFound): deployments.apps "acme-runtime" not found', 'KUBECTL_FAILED'],
];

describe('the failure of a call', () => {
  it.each(MESSAGES)('%s: %s', async (said, code) => {
    await failing(`E1122 22:26:02.0 1 memcache.go:265] "Unhandled Error"\n${said}\n`);
    const failure = (await cluster()
      .kubectl.run(['get', 'pods'])
      .catch((error: Error) => error)) as Error & { next?: string };
    expect(failure).toMatchObject({ code });
    expect(failure.message).toBe(`kubectl --context kind-one --namespace acme-dev get pods failed: ${said}`);
    expect(failure.next).toBeTruthy();
  });
});

describe('the version of kubectl', () => {
  const answering = (stdout: string) => programs.answer([{ when: /version --client --output json/, stdout }]);

  it.each(['v1.20.2', 'v1.36.0+k3s1', 'v2.0.0', 'v0.0.0-master+$Format:%H$'])(
    '%s is accepted',
    async (version) => {
      await answering(JSON.stringify({ clientVersion: { gitVersion: version } }, null, 2));
      await expect(requireKubectl()).resolves.toBeUndefined();
    },
  );

  it.each([
    ['{"clientVersion":{"gitVersion":"v1.19.16"}}', 'v1.19.16'],
    ['{"clientVersion":{"gitVersion":"v1.9.0"}}', 'v1.9.0'],
    ['', 'an unknown version'],
    ['Client Version: 1.32', 'an unknown version'],
  ])('%j is refused', async (said, name) => {
    await answering(said);
    await expect(requireKubectl()).rejects.toMatchObject({
      code: 'KUBECTL_UNSUPPORTED',
      message: `kubectl is ${name}; 1.20 and newer are supported.`,
    });
  });
});

describe('the contexts of the kubeconfig', () => {
  it('are those that kubectl reads', async () => {
    await programs.answer([{ when: /config view/, stdout: VIEW }]);
    expect(await readContexts()).toEqual({ current: 'kind-one', names: ['kind-one', 'kind-two'] });
    expect(await expectContext(undefined)).toBe('kind-one');
    expect(await expectContext('kind-two')).toBe('kind-two');
  });

  it('one that does not exist is refused, with those that do', async () => {
    await programs.answer([{ when: /config view/, stdout: VIEW }]);
    await expect(expectContext('kind-tow')).rejects.toMatchObject({
      code: 'CONTEXT_NOT_FOUND',
      message: 'The kubeconfig has no context kind-tow. It has: kind-one, kind-two.',
      next: expect.stringMatching(/kind-(one|two)$/),
    });
  });

  it('a kubeconfig without any is refused with what to set', async () => {
    await programs.answer([{ when: /config view/, stdout: '{"contexts":null,"current-context":""}' }]);
    await expect(expectContext(undefined)).rejects.toMatchObject({
      code: 'CONTEXT_NOT_FOUND',
      message: 'The kubeconfig names no current context. It has no contexts.',
      next: 'set KUBECONFIG to the file of your cluster, then repeat the command',
    });
  });
});
