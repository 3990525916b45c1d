/**
 * @peers kubernetes kubernetes-node kubectl gateway-api
 * @paths deploy/patterns tools/deployment/patterns tools/deployment/shell-cluster.ts libs/testing/src/kubernetes
 * @paths libs/testing/src/kubernetes-node
 */
import { peer, startScheduler } from '@plat/testing';
import { ShellCluster } from '../shell-cluster';
import { type Manifest, manifestsOf, readPattern, readPatterns } from './pattern';

const PATTERNS = readPatterns();
const DEFINITIONS = [
  'gateway.networking.k8s.io_gateways.yaml',
  'gateway.networking.k8s.io_httproutes.yaml',
] as const;

const started: Array<{ stop(): Promise<unknown> }> = [];
let cluster: ShellCluster;

beforeAll(async () => {
  cluster = await ShellCluster.start({
    definitions: DEFINITIONS.map((name) => peer(name)),
    namespaces: ['acme-dev', 'acme-test'],
  });
  started.push(cluster);
  await cluster.apply('acme-dev', WEB);
}, 120_000);
afterAll(async () => {
  for (const server of started.reverse()) await server.stop();
});

const type = (line: string) => cluster.type(line);
const read = (kind: string, name: string) => cluster.read<Manifest>('acme-dev', kind, name);

const isPatch = (command: string) => command.includes(' patch ');
/** A patch knows no such flag: there the server warns, on stderr. */
const strictly = (command: string) => (isPatch(command) ? '' : ' --validate=strict');

/** The Deployment that the host port is added to. */
const WEB = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'registry.example/web:1',
            ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
          },
        ],
      },
    },
  },
};

describe.each(PATTERNS.map((pattern) => [pattern.file, pattern] as const))('%s', (_, pattern) => {
  const [command = '', ...others] = pattern.commands;

  it('is applied by its own line, and strict validation finds nothing', async () => {
    expect(await type(`${command} --dry-run=server${strictly(command)}`)).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await type(command)).toMatchObject({ code: 0, stderr: '' });
    for (const other of others) expect(await type(other)).toMatchObject({ code: 0, stderr: '' });
    for (const { kind, metadata, spec } of manifestsOf(pattern)) {
      expect(await read(kind, metadata.name)).toMatchObject({ spec });
    }
  });

  it('applied again changes nothing', async () => {
    await cluster.done(command);
    const versions = () =>
      Promise.all(manifestsOf(pattern).map((each) => read(each.kind, each.metadata.name)));
    const before = await versions();
    await cluster.done(command);
    const version = ({ metadata }: Manifest) => (metadata as { resourceVersion?: string }).resourceVersion;
    expect((await versions()).map(version)).toEqual(before.map(version));
  });

  it('with a field that the API does not know is refused, or warned of where it is a patch', async () => {
    const unknown = command.replace(/^(?:sed '|kubectl)/, (start) =>
      start === 'kubectl'
        ? `sed 's/^spec:/spec:\\n  extra: 1/' deploy/patterns/${pattern.file} | kubectl`
        : `${start}s/^spec:/spec:\\n  extra: 1/; `,
    );
    const line = unknown.replace(/(\| .*--filename) (?!-$).*$/, '$1 -');
    const refused = await type(`${line} --dry-run=server`);
    expect(refused.code).toBe(isPatch(line) ? 0 : 1);
    expect(refused.stderr).toMatch(/unknown field "spec\.extra"/);
  });
});

describe.each(
  PATTERNS.filter(({ text }) => /<\w+>/.test(text)).map((pattern) => [pattern.file, pattern] as const),
)('%s with a name left as it is', (_, pattern) => {
  const names = [...(pattern.commands[0] ?? '').matchAll(/s\/([^/]+)\/[^/]+\/g(?:; )?/g)];
  it.each(names.map(([edit, name = '']) => [name, edit]))('%s is refused', async (_name, edit) => {
    const command = (pattern.commands[0] ?? '').replace(edit, '');
    const refused = await type(`${command} --dry-run=server`);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/invalid|Invalid|unable to parse|cannot unmarshal|does not match/);
  });
});

describe('the host port', () => {
  it('is added to the container, whose image and other fields stay', async () => {
    await cluster.done(readPattern('host-port.yaml').commands[0] ?? '');
    expect(await read('deployment', 'web')).toMatchObject({
      spec: {
        strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
        template: {
          spec: {
            containers: [
              {
                image: 'registry.example/web:1',
                ports: [{ name: 'http', containerPort: 8080, hostPort: 17_180, protocol: 'TCP' }],
              },
            ],
          },
        },
      },
    });
  });

  it.each([
    [
      'a container of another name',
      's/name: <service>$/name: other/; s/^  name: other$/  name: web/',
      /image/,
    ],
    ['a number that is no port', 's/<hostPort>/170000/g', /hostPort/],
  ])('%s is refused', async (_, edit, named) => {
    const command = (readPattern('host-port.yaml').commands[0] ?? '').replace("sed '", `sed '${edit}; `);
    const refused = await type(command);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(named);
  });
});

/** No kubelet is behind it: pods are placed there, and do not run. */
const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node' },
  status: {
    allocatable: { cpu: '4', memory: '8Gi', pods: '10' },
    capacity: { cpu: '4', memory: '8Gi', pods: '10' },
  },
};

describe('on a node', () => {
  beforeAll(async () => {
    const scheduler = await startScheduler(cluster.kubeconfig);
    started.push(scheduler);
    await cluster.done('kubectl apply --filename -', JSON.stringify(NODE));
    await cluster.done(
      `kubectl patch node node --subresource status --patch '${JSON.stringify({ status: NODE.status })}'`,
    );
    await cluster.done('kubectl taint nodes node node.kubernetes.io/not-ready-');
    for (const namespace of ['acme-dev', 'acme-test']) {
      await type(`kubectl --namespace ${namespace} create serviceaccount default`);
    }
    await cluster.done(readPattern('host-port.yaml').commands[0] ?? '');
  });

  /** A pod as the Deployment makes them. */
  const start = async (namespace: string, { name, hostPort }: { name: string; hostPort: number }) => {
    const { spec } = (await read('deployment', 'web')) as unknown as typeof WEB;
    const text = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: spec.template.spec,
    });
    const input = text.replace('"hostPort":17180', `"hostPort":${hostPort}`);
    expect(input).toContain(`"hostPort":${hostPort}`);
    await cluster.done(`kubectl --namespace ${namespace} apply --filename -`, input);
    const condition = '{.status.conditions[?(@.type=="PodScheduled")].reason}';
    return async (outcome: 'placed' | 'Unschedulable') => {
      const awaited =
        outcome === 'placed' ? 'condition=PodScheduled' : `jsonpath='${condition}'=Unschedulable`;
      await cluster.done(`kubectl --namespace ${namespace} wait pod/${name} --for=${awaited} --timeout=20s`);
      return cluster.done(
        `kubectl --namespace ${namespace} get pod ${name} --output jsonpath='{.status.conditions}'`,
      );
    };
  };

  it("It must be unique per node: a second pod with it is not placed, one with another environment's is", async () => {
    const first = await start('acme-dev', { name: 'first', hostPort: 17_180 });
    await first('placed');
    const second = await start('acme-test', { name: 'second', hostPort: 17_180 });
    expect(await second('Unschedulable')).toContain("didn't have free ports");
    const other = await start('acme-test', { name: 'other', hostPort: 17_280 });
    await other('placed');
  });
});

describe('allow-shared-<service>', () => {
  it("has its label on the consumer's namespace alone", async () => {
    for (const command of readPattern('allow-shared-service.yaml').commands) {
      await cluster.done(`${command} ${command.includes('label') ? '--overwrite' : ''}`);
    }
    const labelled = await cluster.done(
      'kubectl get namespaces --selector allow-shared-web=true --output name',
    );
    expect(labelled).toBe('namespace/acme-test\n');
  });

  it.each([
    [50, 0],
    [51, 1],
  ])('with a service of %d characters ends with %d', async (length, code) => {
    const [command = ''] = readPattern('allow-shared-service.yaml').commands;
    const longer = command.replace('/web/', `/${'w'.repeat(length)}/`);
    expect(await type(`${longer} --dry-run=server`)).toMatchObject({ code });
  });
});
