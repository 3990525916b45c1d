/**
 * @peers kubernetes kubectl helm-3
 * @paths apps/plat apps/portforward libs/environments libs/forwards deploy/charts/runtime
 * @paths libs/testing/src/kubernetes
 */
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type KubernetesPeer, peer, startKubernetes } from '@plat/testing';
import { PATH, WITHOUT_INTERNET } from '../black-box/plat-process';
import { signedInMachine } from '../black-box/signed-in';
import { openCluster } from '../cluster/cluster';
import type { EnvironmentList } from './environment-list';

const ID = '0198f2a4-0000-7000-8000-000000000001';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
/** A user's preferences for kubectl. */
const ASKS_FIRST = `apiVersion: kubectl.config.k8s.io/v1beta1
kind: Preference
defaults:
  - command: delete
    options:
      - name: interactive
        default: "true"
`;
/** Without a node nothing runs, so the test reports the pod as running in the place of the controller. */
const RUNNING = {
  status: { observedGeneration: 99, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
};

let kubernetes: KubernetesPeer;
const own = { PATH: process.env.PATH, KUBECONFIG: process.env.KUBECONFIG };
beforeAll(async () => (kubernetes = await startKubernetes()), 120_000);
afterAll(async () => {
  Object.assign(process.env, own);
  await kubernetes.stop();
});

async function setUp() {
  const { machine, platform, dispose } = await signedInMachine();
  const programs = join(machine.home, 'programs');
  await mkdir(programs);
  await symlink(peer('kubectl'), join(programs, 'kubectl'));
  await symlink(peer('helm3'), join(programs, 'helm'));
  const kubeconfigs = { admin: join(machine.home, 'admin'), stranger: join(machine.home, 'stranger') };
  for (const user of ['admin', 'stranger'] as const) {
    await writeFile(kubeconfigs[user], kubernetes.kubeconfig(user), { mode: 0o600 });
  }
  platform.answer('GET /.well-known/openid-configuration', {
    body: {
      issuer: platform.url,
      token_endpoint: `${platform.url}/token`,
      grant_types_supported: [EXCHANGE],
    },
  });
  platform.answer('POST /token', {
    body: { access_token: 'a', token_type: 'bearer', expires_in: 3600, refresh_token: 'refresh-of-pod' },
  });
  platform.answer('GET /v1/environments', { body: [] });
  platform.answer('POST /v1/environments', {
    body: { environmentId: ID, name: 'dev', namespace: 'acme-dev' },
  });
  platform.answer(`GET /v1/environments/${ID}`, {
    body: { environmentId: ID, name: 'dev', namespace: 'acme-dev' },
  });
  platform.answer(`DELETE /v1/environments/${ID}`, { body: { environmentId: ID } });
  const path = `${programs}${delimiter}${PATH}`;
  Object.assign(process.env, { PATH: path, KUBECONFIG: kubeconfigs.admin });
  const { kubectl } = openCluster({ context: kubernetes.context, namespace: 'acme-dev' });
  const plat = (args: string[], user: 'admin' | 'stranger' = 'admin') =>
    machine.plat([...args, '--json'], {
      env: { ...WITHOUT_INTERNET, PATH: path, KUBECONFIG: kubeconfigs[user] },
    });
  return { machine, platform, dispose, kubectl, plat };
}

it('an environment is made, opened, stopped, opened again and deleted on a real API server', async () => {
  const { machine, dispose, kubectl, plat } = await setUp();
  const replicas = () =>
    kubectl.run(['get', 'deployment', 'acme-runtime', '--output', 'jsonpath={.spec.replicas}']);

  const made = await plat(['init', 'acme', 'dev']);
  expect(made.json()).toMatchObject({
    created: true,
    kubernetesContext: kubernetes.context,
    session: { by: 'exchanged' },
    deployed: { namespace: 'acme-dev', replicas: 1, secrets: ['acme-runtime-session', 'acme-runtime-mcp'] },
  });
  const label = () =>
    kubectl.run([
      'get',
      'namespace',
      'acme-dev',
      '--output',
      String.raw`jsonpath={.metadata.labels.plat\.dev/environment-id}`,
    ]);
  expect(await label()).toBe(ID);
  // As an earlier client has left it.
  await kubectl.run(['label', 'namespace', 'acme-dev', 'plat.dev/environment-id-']);
  expect((await plat(['deploy', 'acme', 'dev'])).json()).toMatchObject({ warnings: [] });
  expect(await label()).toBe(ID);
  const secret = JSON.parse(
    await kubectl.run(['get', 'secret', 'acme-runtime-session', '--output', 'json']),
  ) as { data: Record<string, string> };
  const session = Buffer.from(secret.data['session.json'] ?? '', 'base64').toString();
  expect(JSON.parse(session)).toMatchObject({ refreshToken: 'refresh-of-pod' });
  expect((await plat(['list'])).json<EnvironmentList>().effective).toEqual({
    tenant: 'acme',
    environment: 'dev',
  });

  const patch = [
    'patch',
    'deployment',
    'acme-runtime',
    '--subresource=status',
    '--patch',
    JSON.stringify(RUNNING),
  ];
  await kubectl.run(patch);
  expect((await plat(['open', '--no-shell'])).json()).toMatchObject({ started: false });
  expect((await plat(['stop'], 'stranger')).json()).toMatchObject({ code: 'CLUSTER_REFUSED' });
  expect((await plat(['stop', 'dev'])).json()).toMatchObject({ stopped: true, wasRunning: true });
  expect(await replicas()).toBe('0');
  // A deploy leaves a stopped environment stopped.
  expect((await plat(['deploy', 'acme', 'dev'])).json()).toMatchObject({ replicas: 0 });
  expect((await plat(['open', 'acme', 'dev', '--no-shell'])).json()).toMatchObject({ started: true });
  expect(await replicas()).toBe('1');

  // The person's own kubectl asks before it deletes; here no one could answer.
  await mkdir(join(machine.home, '.kube'), { recursive: true });
  await writeFile(join(machine.home, '.kube', 'kuberc'), ASKS_FIRST);
  expect((await plat(['delete', 'acme', 'dev', '--yes'], 'stranger')).json()).toMatchObject({
    code: 'CLUSTER_REFUSED',
  });
  expect((await plat(['delete', 'acme', 'dev', '--yes'])).json()).toMatchObject({
    namespaceFound: true,
    unregistered: true,
  });
  expect((await kubectl.run(['get', 'namespace', 'acme-dev', '--ignore-not-found'])).trim()).toBe('');
  expect(existsSync(join(machine.configFolder, 'acme'))).toBe(false);
  await dispose();
}, 300_000);
