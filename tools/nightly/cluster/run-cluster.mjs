/**
 * Runs the tests on a cluster with a node, in namespaces of their own. Usage: node run-cluster.mjs [jest arguments]
 *
 * The cluster's network, mounts and processes end with the namespaces, however the tests end. What is left then, its
 * files and its control groups, is removed here.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUp } from '../../peers/set-up.mjs';
import { toolPath } from '../../run-tool.mjs';

const PEERS = [
  ...['kubernetes', 'kubernetes-node', 'containerd', 'container-network', 'node-network'],
  ...['kubectl', 'helm-3', 'buildah', 'busybox', 'openssh', 'tini'],
];
const CONTROL_GROUPS = '/sys/fs/cgroup';
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const JEST = toolPath('jest');

async function main(args) {
  if (process.getuid() !== 0) throw new Error('A node takes root: this user can run no cluster.');
  const peers = await setUp(PEERS, (line) => process.stderr.write(`${line}\n`));
  const controlGroup = `plat-cluster-${process.pid}`;
  const folder = await mkdtemp(join(tmpdir(), 'plat-cluster-run-'));
  const hierarchies = await controlHierarchies();
  try {
    for (const hierarchy of hierarchies) await mkdir(join(hierarchy, controlGroup));
    const env = {
      ...process.env,
      TMPDIR: folder,
      PLAT_PEERS: JSON.stringify(peers),
      PLAT_CLUSTER_CONTROL_GROUP: controlGroup,
    };
    process.exitCode = await runInNamespaces(peers.ip, args, env);
  } finally {
    const left = [];
    for (const hierarchy of hierarchies) left.push(...(await removeGroups(join(hierarchy, controlGroup))));
    await rm(folder, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`Control groups are left:\n${left.join('\n')}`);
  }
}

/** The namespaces end with their first process, that one with unshare, and unshare with this process. @returns its exit code */
function runInNamespaces(ip, args, env) {
  const inside = `'${ip}' link set lo up && exec "$@"`;
  const jest = [process.execPath, JEST, '--config', 'jest.cluster.config.js', '--runInBand', ...args];
  const unshare = ['unshare', ...NAMESPACES, 'sh', '-c', inside, 'sh', ...jest];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...unshare], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => endNamespaces(child.pid));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Kills the first process of the namespaces. unshare, which blocks most signals, ends once all of their processes have. */
function endNamespaces(unshare) {
  const first = readFileSync(`/proc/${unshare}/task/${unshare}/children`, 'utf8').trim();
  process.kill(first === '' ? unshare : Number(first), 'SIGKILL');
}

/** The roots of version 2's one hierarchy, or of each of version 1. */
async function controlHierarchies() {
  const mounts = await readFile('/proc/self/mounts', 'utf8');
  const found = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .filter(
      ([, path = '', type]) => /^cgroup2?$/.test(type ?? '') && `${path}/`.startsWith(`${CONTROL_GROUPS}/`),
    )
    .map(([, path]) => path);
  if (found.length > 0) return found;
  throw new Error('A node takes control groups, and this machine has none: it can run no cluster.');
}

/** Removes a control group and those below it. @returns those that processes are still in */
async function removeGroups(group) {
  const entries = await readdir(group, { withFileTypes: true }).catch(() => []);
  const left = [];
  for (const entry of entries.filter((each) => each.isDirectory())) {
    left.push(...(await removeGroups(join(group, entry.name))));
  }
  await rmdir(group).catch((error) => {
    if (error.code !== 'ENOENT') left.push(group);
  });
  return left;
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
