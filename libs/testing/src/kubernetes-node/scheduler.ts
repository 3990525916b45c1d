import { peer } from '../peers/peer';
import { type ServerProcess, startServerProcess } from '../peers/server-process';

/** Starts what places pods on nodes. @param kubeconfig path of an admin's */
export function startScheduler(kubeconfig: string): Promise<ServerProcess> {
  return startServerProcess({
    program: peer('kube-scheduler'),
    args: [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0'],
    ready: /Caches are synced|Starting Kubernetes Scheduler/,
  });
}
