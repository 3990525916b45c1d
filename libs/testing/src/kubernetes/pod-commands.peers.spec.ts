/**
 * @peers kubernetes forward-node kubectl
 * @paths libs/testing/src/kubernetes libs/environments/src
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peer } from '../peers/peer';
import { execFile } from '../starter/child-process';
import { type ForwardCluster, startForwardCluster } from './forward-cluster';

/** Prints its arguments and a file of the folder that `--in` names; ends with the code of `--code`. */
const SAYS = `#!/bin/sh
for word in "$@"; do
  case "$word" in --in=*) cat "\${word#--in=}/greeting" ;; --code=*) code="\${word#--code=}" ;; esac
done
echo "about $*" >&2
exit "\${code:-0}"
`;

let cluster: ForwardCluster;
let folder: string;
beforeAll(async () => {
  cluster = await startForwardCluster();
  folder = await mkdtemp(join(tmpdir(), 'plat-pod-'));
  await writeFile(join(folder, 'says'), SAYS, { mode: 0o755 });
  await writeFile(join(folder, 'greeting'), 'hello\n');
  await cluster.makeNamespace('shop');
  const programs = { says: join(folder, 'says') };
  await cluster.makeDeployment({
    namespace: 'shop',
    name: 'speaker',
    ports: {},
    programs,
    folders: { '/etc/words': folder },
  });
}, 60_000);
afterAll(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true });
});

/** `kubectl exec` in a pod of the Deployment. */
async function exec(...command: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const flags = ['--kubeconfig', await cluster.kubeconfigFile('admin'), '--namespace', 'shop'];
  return new Promise((resolve) => {
    const args = [...flags, 'exec', 'deploy/speaker', '--', ...command];
    execFile(peer('kubectl'), args, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

describe('a command in a pod of a Deployment', () => {
  it('runs a program of the pod, whose output and errors kubectl passes on', async () => {
    expect(await exec('says', '--in=/etc/words', 'one two', '*')).toEqual({
      code: 0,
      stdout: 'hello\n',
      stderr: `about --in=${folder} one two *\n`,
    });
  });

  it("ends kubectl with the program's exit code", async () => {
    const { code, stderr } = await exec('says', '--code=3');
    expect(code).toBe(3);
    expect(stderr).toBe('about --code=3\ncommand terminated with exit code 3\n');
  });

  it('is refused if the pod has no such program', async () => {
    const { code, stderr } = await exec('sh', '-c', 'true');
    expect(code).toBe(127);
    expect(stderr).toContain('exec: "sh": executable file not found in $PATH');
  });
});
