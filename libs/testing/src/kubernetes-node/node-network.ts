import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { SERVICE_ADDRESSES } from '../kubernetes/kubernetes-peer';
import { peer } from '../peers/peer';
import { execFile } from '../starter/child-process';

const run = promisify(execFile);

/** The bridge that pods are on, and the node's address there. */
const BRIDGE = 'pods0';
export const NODE_ADDRESS = '10.88.0.1';
const POD_RANGE = '10.88.0.0/24';

/** Folders of a network's configuration and of its plugins. */
export interface NodeNetwork {
  configuration: string;
  plugins: string;
}

/**
 * Makes the network of a node in this process's network namespace: the address of the API's Service, a bridge for pods,
 * and ports of 127.0.0.1 that lead from within pods to those of the node. No Service has an address but the API's, and
 * nothing enforces network policies.
 *
 * @param folder for the files of the network
 * @param ports of 127.0.0.1 that pods reach, too
 */
export async function makeNodeNetwork(folder: string, ports: readonly number[]): Promise<NodeNetwork> {
  const ip = (...args: string[]) => run(peer('ip'), args);
  await ip('link', 'set', 'lo', 'up');
  // A request to the Service of the API arrives at the API without a proxy.
  await ip('address', 'add', `${SERVICE_ADDRESSES.api}/32`, 'dev', 'lo');
  await ip('link', 'add', BRIDGE, 'type', 'bridge');
  await ip('address', 'add', `${NODE_ADDRESS}/24`, 'dev', BRIDGE);
  await ip('link', 'set', BRIDGE, 'up');
  await writeFile(`/proc/sys/net/ipv4/conf/${BRIDGE}/route_localnet`, '1');
  for (const port of ports) {
    const incoming = ['-i', BRIDGE, '-d', NODE_ADDRESS, '-p', 'tcp', '--dport', String(port)];
    const target = ['-j', 'DNAT', '--to-destination', `127.0.0.1:${port}`];
    await run(peer('iptables'), ['-t', 'nat', '-A', 'PREROUTING', ...incoming, ...target]);
  }
  return writePlugins(folder, ports);
}

async function writePlugins(folder: string, ports: readonly number[]): Promise<NodeNetwork> {
  const [configuration, plugins] = [join(folder, 'network'), join(folder, 'network-plugins')];
  await Promise.all([configuration, plugins].map((each) => mkdir(each)));
  for (const path of [peer('bridge'), peer('host-local'), peer('loopback')]) {
    await symlink(path, join(plugins, basename(path)));
  }
  const own = join(plugins, 'node-ports');
  await writeFile(own, nodePortsPlugin());
  await chmod(own, 0o755);
  const bridge = {
    type: 'bridge',
    bridge: BRIDGE,
    isGateway: true,
    ipam: {
      type: 'host-local',
      dataDir: join(folder, 'network-addresses'),
      ranges: [[{ subnet: POD_RANGE }]],
      routes: [{ dst: '0.0.0.0/0' }],
    },
  };
  const chain = {
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [bridge, { type: 'node-ports', node: NODE_ADDRESS, ports }],
  };
  await writeFile(join(configuration, '10-pods.conflist'), JSON.stringify(chain));
  return { configuration, plugins };
}

function nodePortsPlugin(): string {
  const script = join(__dirname, 'node-ports.mjs');
  return `#!/bin/sh\nIPTABLES='${peer('iptables')}' exec '${process.execPath}' '${script}'\n`;
}
