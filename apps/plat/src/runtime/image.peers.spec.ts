/**
 * @peers buildah openssh tini
 * @paths apps/plat apps/portforward libs deploy/images tools/build tools/images
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@plat/local';
import { execFile, type ImageBuilder, imageBuilder, peer, spawn } from '@plat/testing';
import { ended, said } from '../black-box/plat-process';
import { buildRuntimeImage } from '../black-box/runtime-image';
import { descendantsOf, processTable } from '../processes/process-table';

jest.setTimeout(400_000);

describe('the image of a runtime pod', () => {
  let folder: string;
  let env: Record<string, string>;
  let container: string;

  let buildah: ImageBuilder['buildah'];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-image-'));
    ({ env, buildah } = await imageBuilder(folder));
    await buildRuntimeImage(folder, { buildah, tag: 'localhost/runtime' });
    container = await buildah('from', '--pull=never', 'localhost/runtime');
  });
  afterAll(async () => {
    await buildah('rm', '--all').catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });

  it('is not root, and begins with an init that starts plat runtime boot', async () => {
    const { OCIv1 } = JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/runtime')) as {
      OCIv1: { config: { User: string; Entrypoint: string[]; WorkingDir: string } };
    };
    expect(OCIv1.config).toMatchObject({
      User: '1000:1000',
      Entrypoint: ['tini', '--', 'plat', 'runtime', 'boot'],
      WorkingDir: '/home/erun',
    });
    expect(await buildah('run', container, '--', 'sh', '-c', 'id -un; id -u; plat --version')).toMatch(
      /^erun\n1000\nplat \d/,
    );
  });

  it('boots without root, and lets the operator in over ssh, where plat knows its environment', async () => {
    const [mcp, sshd] = await Promise.all([findFreePort(), findFreePort()]);
    const key = join(folder, 'key');
    await promisify(execFile)(peer('ssh-keygen'), ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const mounted = join(folder, 'session');
    await promisify(execFile)('mkdir', [mounted]);
    await writeFile(join(mounted, 'authorized_keys'), await readFile(`${key}.pub`, 'utf8'));
    const variables = [
      'HOME=/home/erun',
      'PLAT_TENANT=acme',
      'PLAT_ENVIRONMENT=dev',
      'PLAT_ENV_TYPE=runtime',
      'PLAT_KUBERNETES_CONTEXT=in-cluster',
      `PLAT_MCP_PORT=${mcp}`,
      `PLAT_SSHD_PORT=${sshd}`,
    ].flatMap((each) => ['--env', each]);
    const args = ['run', ...variables, '--volume', `${mounted}:/run/plat/session:ro`, container, '--'];
    const pod = spawn(peer('buildah'), [...args, 'tini', '-s', '--', 'plat', 'runtime', 'boot'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      await Promise.all([
        said(pod, /Serving tools on/),
        said(pod, /Server listening on/),
        said(pod, /Watching for/),
      ]);
      const stdout = await runInPod(
        { key, port: sshd },
        'id -u; plat idle --json; ls /etc/ssh 2>/dev/null; true',
      );
      expect(stdout).toMatch(/^1000\n\{"policy":.*"only an environment of a managed cloud stops itself"/);
      expect(stdout).not.toContain('ssh_host');
    } finally {
      await endPod(pod, mcp);
    }
  });
});

/** Runs a line in the pod by ssh. Its output. */
async function runInPod({ key, port }: { key: string; port: number }, line: string): Promise<string> {
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'IdentitiesOnly=yes',
  ].flatMap((each) => ['-o', each]);
  const args = ['-F', 'none', '-i', key, '-p', String(port), ...options, 'erun@127.0.0.1', line];
  return (await promisify(execFile)(peer('ssh'), args)).stdout;
}

/**
 * Ends the pod's first process, as Kubernetes does: the builder passes no signal on. It is the MCP server's parent, or any
 * descendant of the builder if there is no such server.
 */
async function endPod(pod: ChildProcess, mcpPort: number): Promise<void> {
  if (pod.exitCode !== null) return;
  const end = ended(pod);
  // Without a token of its own the pod's MCP server listens on loopback.
  const server = (await processTable()).find(({ line }) => line.includes(`mcp --port=${mcpPort}`));
  const firsts = server === undefined ? await descendantsOf(pod.pid!) : [server.parent];
  for (const pid of firsts) process.kill(pid, 'SIGTERM');
  await end;
}
