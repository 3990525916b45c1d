/**
 * @peers kubernetes kubectl helm-3 helm-4 gateway-api
 * @paths deploy/charts/plat docs/operations.md tools/deployment libs/testing/src/kubernetes
 * @paths libs/testing/src/deployment libs/service/src
 */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SERVICES } from '@plat/contracts/core';
import { workspaceRoot } from '@plat/local';
import {
  buildService,
  type ChartPod,
  launchService,
  makeLocal,
  makeSelfSignedCertificate,
  peer,
} from '@plat/testing';
import { ShellCluster } from '../shell-cluster';
import { blockOf } from './install-page';
import { PlayedPods } from './played-pods';

const LONG_MS = 180_000;
const DIRECTORY = 'tenants: [{ name: acme }]\n';
/** The services connect to a pooler, and the owner to the database itself. */
const GIVEN = {
  DATABASE_ADDRESS: 'pooler.example.com:6432',
  OWNER_ADDRESS: 'db.example.com:5432',
  OWNER_PASSWORD: 'of-the-owner',
};

interface Listed<Item> {
  items: Item[];
}

interface Workload {
  metadata: { name: string };
  spec: { template: { spec: ChartPod } };
  status: { readyReplicas?: number; updatedReplicas?: number };
}

interface Source {
  data: Record<string, string>;
}

describe.each(['helm3', 'helm4'] as const)('by the page alone, with %s', (helm) => {
  let cluster: ShellCluster;
  let pods: PlayedPods;
  let folder: string;

  beforeAll(async () => {
    cluster = await ShellCluster.start({
      definitions: [peer('gateway.networking.k8s.io_httproutes.yaml')],
      namespaces: [],
      programs: { helm },
      // These make the pods, which the API server admits by the strictest standard.
      controllers: 'all',
    });
    folder = join(cluster.folder, 'operator');
    await mkdir(folder);
    await symlink(join(workspaceRoot(), 'deploy'), join(folder, 'deploy'));
    await writeFile(join(folder, 'directory.yaml'), DIRECTORY);
    await writeFile(join(folder, 'ca.crt'), (await makeSelfSignedCertificate()).cert);
  }, LONG_MS);
  afterAll(async () => {
    await pods?.stop();
    await cluster.stop();
  });

  /** Types a block of the page. */
  const type = (name: string) => cluster.type(`set -e\n${blockOf(name)}`, { env: GIVEN, cwd: folder });
  const list = async <Item>(kinds: string): Promise<Item[]> =>
    (JSON.parse(await cluster.done(`kubectl --namespace plat get ${kinds} --output json`)) as Listed<Item>)
      .items;

  /** The content of a key of a Secret or ConfigMap of the cluster. */
  async function contentOf(kind: 'secret' | 'configmap', name: string, key: string): Promise<string> {
    const { data } = await cluster.read<Source>('plat', kind, name);
    const content = data[key];
    if (content === undefined) throw new Error(`${kind} ${name} has no key ${key}`);
    return kind === 'secret' ? Buffer.from(content, 'base64').toString() : content;
  }

  /** The contents of all keys that a pod mounts. */
  async function contentsOf(pod: ChartPod): Promise<Record<string, string>> {
    const contents: Record<string, string> = {};
    for (const { projected, configMap } of pod.volumes ?? []) {
      for (const { secret } of projected?.sources ?? []) {
        for (const { key } of secret.items) contents[key] = await contentOf('secret', secret.name, key);
      }
      for (const { key } of configMap?.items ?? []) {
        contents[key] = await contentOf('configmap', configMap!.name, key);
      }
    }
    return contents;
  }

  it(
    'makes the namespace, the Secrets and the ConfigMaps',
    async () => {
      expect(await type('secrets')).toMatchObject({ code: 0 });
      pods = PlayedPods.start(cluster, 'plat');
    },
    LONG_MS,
  );

  it(
    'installs: the job of the database first, then the services, all of which are admitted and ready',
    async () => {
      await writeFile(join(folder, 'values.yaml'), blockOf('values'));
      const { code, stdout, stderr } = await type('install');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('helm test plat --namespace plat');
      expect(pods.parts[0]).toBe('db');
      expect(pods.parts.at(-1)).toBe('test');
      const ready = (await list<Workload>('deployments')).map(({ metadata, status }) => [
        metadata.name,
        status.readyReplicas,
      ]);
      expect(Object.fromEntries(ready)).toEqual(
        Object.fromEntries(SERVICES.map((name) => [`plat-${name}`, 2])),
      );
      expect(await list('jobs')).toEqual([]);
    },
    LONG_MS,
  );

  it.each(SERVICES)(
    'leaves %s a configuration without a fault, of the Secrets that were made',
    async (service) => {
      const { spec } = await cluster.read<Workload>('plat', 'deployment', `plat-${service}`);
      const pod = spec.template.spec;
      const contents = await contentsOf(pod);
      const { environment } = await makeLocal(pod, service, {
        folder: join(cluster.folder, service),
        contents,
      });
      await buildService(service);
      const child = launchService(service, environment, ['--check-config']);
      expect(await text(child.stdout!)).toBe(`plat-${service}: the configuration has no fault.\n`);
      expect(environment).toHaveProperty('DATABASE_CA_FILE');
      const [, password] =
        /^postgres:\/\/plat_\w+:([0-9a-f]{48})@pooler\.example\.com:6432\/plat$/.exec(
          contents.DATABASE_URL!,
        ) ?? [];
      const name = `PLAT_${service.toUpperCase()}_PASSWORD`;
      expect(await contentOf('secret', 'plat-db', name)).toBe(password);
      const owner = new URL(await contentOf('secret', 'plat-db', 'DATABASE_URL'));
      expect([owner.username, owner.host]).toEqual(['plat_owner', GIVEN.OWNER_ADDRESS]);
    },
    LONG_MS,
  );

  it(
    'upgrades: the job again, then every replica',
    async () => {
      const before = pods.parts.length;
      await writeFile(join(folder, 'values.yaml'), blockOf('values').replace('plat-cli', 'plat-cli-2'));
      expect(await type('upgrade')).toMatchObject({ code: 0, stderr: '' });
      expect(pods.parts.slice(before)).toEqual(['db', 'platform', 'platform']);
    },
    LONG_MS,
  );

  it(
    'rolls back without a job, because the schema stays',
    async () => {
      const before = pods.parts.length;
      expect(await type('rollback')).toMatchObject({ code: 0, stderr: '' });
      expect(pods.parts.slice(before)).toEqual(['platform', 'platform']);
    },
    LONG_MS,
  );

  it(
    'leaves nothing of the release when it is uninstalled',
    async () => {
      await cluster.done('helm uninstall plat --namespace plat --wait');
      const kinds = 'deployments,services,networkpolicies,poddisruptionbudgets,httproutes,jobs';
      expect(await list(kinds)).toEqual([]);
      expect((await list<Workload>('secrets')).map(({ metadata }) => metadata.name)).toEqual(
        expect.arrayContaining(['plat-db', ...SERVICES.map((name) => `plat-${name}`)]),
      );
    },
    LONG_MS,
  );
});
