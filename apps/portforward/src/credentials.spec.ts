import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfigOf, makeSelfSignedCertificate } from '@plat/testing';
import { loadClusterLibrary } from './black-box/cluster-library';
import { endOf, firstBytes, ForwardStand } from './black-box/forward-stand';

loadClusterLibrary();

let stand: ForwardStand;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-credentials-'));
});
afterEach(async () => {
  await stand.stop();
  await rm(folder, { recursive: true });
});

async function start(paths?: string[]): Promise<void> {
  stand = await ForwardStand.start({ paths });
  stand.addService(await stand.named('hello'));
}

async function readGreeting(): Promise<string> {
  return firstBytes(await stand.connect());
}

async function refusal(): Promise<string | undefined> {
  expect(await endOf(await stand.connect())).toBe('cut');
  return stand.failed.at(-1);
}

/** Writes the kubeconfig with another user. */
async function writeUser(user: object, path = stand.api.kubeconfig): Promise<void> {
  const { url, context } = stand.api;
  const config = JSON.parse(kubeconfigOf({ url, token: '', context })) as { users: object[] };
  config.users = [{ name: 'u', user }];
  await writeFile(path, JSON.stringify(config));
}

/** Replaces the accepted tokens. */
function accept(token: string): void {
  stand.api.tokens.clear();
  stand.api.tokens.add(token);
}

/** A credential plugin that prints the token in a file, and what it was given. */
async function writePlugin(): Promise<{ plugin: string; tokenFile: string; given: string; runs: string }> {
  const [plugin, tokenFile] = [join(folder, 'plugin'), join(folder, 'token')];
  const [given, runs] = [join(folder, 'given'), join(folder, 'runs')];
  const credential = `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}`;
  await writeFile(
    plugin,
    `#!/bin/sh\nprintf %s "$KUBERNETES_EXEC_INFO" > ${given}\necho run >> ${runs}\nprintf '${credential}' "$(cat ${tokenFile})"\n`,
  );
  await chmod(plugin, 0o755);
  return { plugin, tokenFile, given, runs };
}

it('takes the new token of a kubeconfig that was written again', async () => {
  await start();
  expect(await readGreeting()).toBe('hello');
  accept('rotated');
  await stand.api.writeKubeconfig('rotated');
  expect(await readGreeting()).toBe('hello');
  expect(stand.failed).toEqual([]);
});

it('reads a token file again if the token is refused', async () => {
  await start();
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, 'first');
  accept('first');
  // A relative path begins at the kubeconfig's folder.
  await writeFile(join(stand.api.kubeconfig, '..', 'token'), 'first');
  await writeUser({ tokenFile: 'token' });
  expect(await readGreeting()).toBe('hello');
  await writeFile(join(stand.api.kubeconfig, '..', 'token'), 'second');
  accept('second');
  expect(await readGreeting()).toBe('hello');
});

it('runs a credential plugin once for many connections, and again if its token is refused', async () => {
  await start();
  const { plugin, tokenFile, given, runs } = await writePlugin();
  await writeFile(tokenFile, 'first');
  accept('first');
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: plugin,
    interactiveMode: 'Never',
    provideClusterInfo: true,
  };
  await writeUser({ exec });
  expect(await Promise.all([readGreeting(), readGreeting(), readGreeting()])).toEqual([
    'hello',
    'hello',
    'hello',
  ]);
  expect(await readFile(runs, 'utf8')).toBe('run\n');
  expect(JSON.parse(await readFile(given, 'utf8'))).toEqual({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false, cluster: expect.objectContaining({ server: stand.api.url }) as object },
  });
  await writeFile(tokenFile, 'second');
  accept('second');
  expect(await readGreeting()).toBe('hello');
  expect(await readFile(runs, 'utf8')).toBe('run\nrun\n');
});

it('says that a credential plugin failed or is missing, and nothing of what it printed', async () => {
  await start();
  const plugin = join(folder, 'plugin');
  await writeFile(plugin, '#!/bin/sh\necho a-secret >&2\nexit 1\n');
  await chmod(plugin, 0o755);
  await writeUser({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command: plugin } });
  expect(await refusal()).toBe(`The kubeconfig's credential plugin ${plugin} failed.`);
  await rm(plugin);
  expect(await refusal()).toBe(`The kubeconfig's credential plugin ${plugin} is not installed.`);
});

it('survives a kubeconfig that ends in its middle, without quoting it, and uses it once it is whole', async () => {
  await start();
  const { kubeconfig } = stand.api;
  const text = await readFile(kubeconfig, 'utf8');
  await writeFile(kubeconfig, 'users: [{name: u, user: {token: a-secret');
  expect(await refusal()).toBe(`The kubeconfig ${kubeconfig} is not valid YAML.`);
  await writeFile(kubeconfig, 'clusters: a-secret');
  expect(await refusal()).toBe(`The kubeconfig ${kubeconfig} is not a kubeconfig.`);
  await writeFile(kubeconfig, '');
  expect(await refusal()).toBe('The kubeconfig has no context test-cluster with a cluster.');
  await writeFile(kubeconfig, text);
  expect(await readGreeting()).toBe('hello');
});

it('merges the files of KUBECONFIG as kubectl does: the first entry of a name counts, a missing file does not', async () => {
  const paths = ['missing', 'first', 'second'].map((name) => join(folder, name));
  await start(paths);
  const [token = ''] = stand.api.tokens;
  await writeUser({ token }, paths[1]);
  await writeUser({ token: 'wrong' }, paths[2]);
  expect(await readGreeting()).toBe('hello');
});

it('says that the API server refuses its credentials', async () => {
  await start();
  accept('another');
  expect(await refusal()).toBe('The API server refuses: Unauthorized');
});

describe('a kept connection to the API server', () => {
  // The first connection leaves none, since it asks one question after the other, and dials.
  beforeEach(async () => {
    await start();
    await readGreeting();
    await readGreeting();
  });

  it('is used again', async () => {
    const before = stand.api.connections;
    await readGreeting();
    // A forwarded connection takes one of those that are kept.
    expect(stand.api.connections - before).toBeLessThanOrEqual(1);
  });

  it('that has died unseen is replaced by a fresh one, before anything is sent', async () => {
    const used = new Set<object>();
    // Each connection that was used before is cut as soon as it is used again.
    stand.api.insteadOfAnswer = (request, socket) => {
      const isReused = stand.api.requestsOf(request.socket) > 1;
      if (isReused && !used.has(socket)) {
        used.add(socket);
        socket.destroy();
        return false;
      }
      return true;
    };
    expect(await readGreeting()).toBe('hello');
    expect(used.size).toBeGreaterThan(0);
    expect(stand.failed).toEqual([]);
  });
});

it('sends frames unmasked only over TLS to the API server itself', async () => {
  for (const tls of [undefined, await makeSelfSignedCertificate()]) {
    stand = await ForwardStand.start({ tls });
    const frame = new Promise<Buffer>((resolve) => {
      stand.addService(({ socket }) => void socket.once('data', resolve));
    });
    (await stand.connect()).write('hello');
    // Two bytes, the mask, then the channel and the data.
    const isMasked = !(await frame).subarray(2, 6).equals(Buffer.alloc(4));
    expect(isMasked).toBe(tls === undefined);
    if (tls === undefined) await stand.stop();
  }
});
