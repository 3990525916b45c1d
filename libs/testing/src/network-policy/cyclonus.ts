import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { peer } from '../peers/peer';
import { execFile } from '../starter/child-process';
import type { NetworkPolicy } from './network-policy';
import type { Connection, NetworkEnd } from './policy-network';
import type { Labels } from './selector';

/** Connections to be judged under the same policies. */
export interface PolicyQuestion {
  /** The labels of each namespace, by its name. */
  namespaces: Readonly<Record<string, Labels>>;
  policies: readonly NetworkPolicy[];
  connections: readonly Connection[];
}

/**
 * Asks cyclonus, whose judgement is independent of ours, what NetworkPolicies allow.
 *
 * @returns for each connection whether it is allowed
 */
export async function judgeByCyclonus(question: PolicyQuestion): Promise<boolean[]> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-cyclonus-'));
  try {
    const [policies, traffic] = [join(folder, 'policies'), join(folder, 'traffic.json')];
    await mkdir(policies);
    // It reads a file's first document only.
    for (const [at, policy] of question.policies.entries()) {
      await writeFile(join(policies, `${at}.yaml`), manifestOf(policy));
    }
    await writeFile(traffic, JSON.stringify(question.connections.map((each) => trafficOf(each, question))));
    const files = ['--policy-path', policies, '--traffic-path', traffic];
    const { stdout } = await promisify(execFile)(
      peer('cyclonus'),
      ['analyze', '--mode', 'query-traffic', ...files],
      { maxBuffer: 2 ** 26 },
    );
    return verdictsOf(stdout, question.connections.length);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @throws Error when there is not one verdict for each connection */
function verdictsOf(table: string, count: number): boolean[] {
  const verdicts = [...table.matchAll(/IS ALLOWED\?\s*\|\s*(TRUE|FALSE)/g)].map(
    ([, word]) => word === 'TRUE',
  );
  if (verdicts.length === count) return verdicts;
  throw new Error(`cyclonus gave ${verdicts.length} verdicts on ${count} connections:\n${table}`);
}

/** JSON is YAML. */
const manifestOf = (policy: NetworkPolicy): string =>
  JSON.stringify({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', ...policy });

function trafficOf({ from, to, port, protocol = 'TCP' }: Connection, { namespaces }: PolicyQuestion) {
  const declared = 'namespace' in to ? (to.ports ?? []) : [];
  const name = declared.find(
    (each) => each.containerPort === port && (each.protocol ?? 'TCP') === protocol,
  )?.name;
  return {
    Source: endOf(from, namespaces),
    Destination: endOf(to, namespaces),
    Protocol: protocol,
    ResolvedPort: port,
    ResolvedPortName: name ?? '',
  };
}

function endOf(end: NetworkEnd, namespaces: PolicyQuestion['namespaces']) {
  if (!('namespace' in end)) return { IP: end.address };
  const { namespace: Namespace, labels: PodLabels } = end;
  const NamespaceLabels = { ...namespaces[Namespace], 'kubernetes.io/metadata.name': Namespace };
  return { IP: end.address, Internal: { Namespace, NamespaceLabels, PodLabels } };
}
