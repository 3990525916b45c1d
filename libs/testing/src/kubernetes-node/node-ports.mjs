/**
 * A network plugin after the bridge's: in the pod, the given ports of 127.0.0.1 lead to the node's. So an address like
 * http://127.0.0.1:7070, which a client accepts without TLS, means the same server in the pod and next to it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { CNI_COMMAND: command, CNI_NETNS: namespace, IPTABLES: iptables } = process.env;
const { node, ports, prevResult, cniVersion } = JSON.parse(readFileSync(0, 'utf8'));

if (command === 'ADD') {
  inPod('sh', '-c', 'echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet');
  for (const port of ports) {
    const outgoing = ['-d', '127.0.0.1', '-p', 'tcp', '--dport', String(port)];
    inPod(iptables, '-t', 'nat', '-A', 'OUTPUT', ...outgoing, '-j', 'DNAT', '--to-destination', node);
  }
  inPod(iptables, '-t', 'nat', '-A', 'POSTROUTING', '-d', node, '-j', 'MASQUERADE');
  process.stdout.write(JSON.stringify(prevResult));
}
if (command === 'VERSION') process.stdout.write(JSON.stringify({ cniVersion, supportedVersions: ['0.4.0'] }));

function inPod(...args) {
  execFileSync('nsenter', [`--net=${namespace}`, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
}
