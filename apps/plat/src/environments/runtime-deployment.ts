import {
  type EnvironmentName,
  type LastStop,
  lastStop,
  type RuntimeNames,
  runtimeNames,
} from '@plat/environments';
import { type Cluster, openCluster, type ToolCall } from '../cluster/cluster';
import { expectContext } from '../cluster/contexts';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { ConfiguredEnvironment } from './chosen-environment';

/** The Deployment of an environment. */
export interface RuntimeDeployment {
  /** Replicas that are asked for. */
  replicas: number;
  /** Replicas that can be reached, of the Deployment as it is now. */
  available: number;
  /** When and why it last stopped itself; absent if it never did. Rule H15. */
  lastStop?: LastStop | undefined;
  /** Message of the cluster if it refuses to make the pod: a quota, a policy, a missing ServiceAccount. */
  refusal?: string | undefined;
}

/** An environment and its cluster. */
export interface RuntimePlace {
  name: EnvironmentName;
  names: RuntimeNames;
  kubernetesContext: string;
  /** kubectl and helm for its namespace. */
  cluster: Cluster;
  interrupted: AbortSignal;
}

interface DeploymentObject {
  metadata?: { generation?: number; annotations?: Record<string, string> };
  spec?: { replicas?: number };
  status?: {
    availableReplicas?: number;
    observedGeneration?: number;
    conditions?: ReadonlyArray<{ type: string; status: string; message?: string }>;
  };
}

/** @throws Failure CONTEXT_NOT_FOUND and others of the kubeconfig */
export async function openRuntime(
  { name, config }: ConfiguredEnvironment,
  interrupted: AbortSignal,
): Promise<RuntimePlace> {
  const names = runtimeNames(name);
  const kubernetesContext = await expectContext(config.kubernetesContext, interrupted);
  const target = { context: kubernetesContext, namespace: names.namespace };
  return { name, names, kubernetesContext, cluster: openCluster(target, interrupted), interrupted };
}

/** @throws Failure NOT_DEPLOYED; those of kubectl */
export async function requireDeployment(
  { name, names, cluster }: RuntimePlace,
  call?: ToolCall,
): Promise<RuntimeDeployment> {
  const args = ['get', 'deployment', names.release, '--ignore-not-found', '--output', 'json'];
  const text = await cluster.kubectl.run(args, call);
  if (text.trim() !== '') return deployment(JSON.parse(text) as DeploymentObject);
  const { tenant, environment } = name;
  throw new Failure('NOT_DEPLOYED', `The environment ${tenant} ${environment} is not deployed.`, {
    details: { namespace: names.namespace, deployment: names.release },
    next: nextStep('plat deploy', [tenant], [environment]),
  });
}

/** The arguments of kubectl that give the Deployment so many replicas. */
export function scaleArgs({ release }: RuntimeNames, replicas: 0 | 1): string[] {
  return ['scale', `deployment/${release}`, `--replicas=${replicas}`];
}

function deployment({ metadata, spec, status }: DeploymentObject): RuntimeDeployment {
  // Before the controller has seen a change, its figures are those of the Deployment before it.
  const isCurrent = (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0);
  return {
    replicas: spec?.replicas ?? 1,
    available: isCurrent ? (status?.availableReplicas ?? 0) : 0,
    lastStop: lastStop(metadata?.annotations),
    refusal: status?.conditions?.find((each) => each.type === 'ReplicaFailure' && each.status === 'True')
      ?.message,
  };
}
