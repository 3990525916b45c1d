import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { peer, spawn } from '@plat/testing';
import type { ShellCluster } from '../shell-cluster';

const LINE = '{.metadata.name} {.status.phase} {.metadata.labels.app\\.kubernetes\\.io/component}{"\\n"}';
/** Parts whose pods end by themselves. */
const ENDING = ['db', 'test'];

/**
 * Plays the kubelet of a cluster without a node: each pod of a namespace that a controller or helm has made becomes ready,
 * or ends well. What a pod says of itself is the test's; that the API server admits it is not.
 */
export class PlayedPods {
  /** Parts, such as `db`, in the order in which their pods were played. */
  readonly parts: string[] = [];
  private readonly played = new Set<string>();
  private work: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly cluster: ShellCluster,
    private readonly namespace: string,
    private readonly watch: ChildProcess,
  ) {}

  static start(cluster: ShellCluster, namespace: string): PlayedPods {
    const args = ['--namespace', namespace, 'get', 'pods', '--watch', '--output', `jsonpath=${LINE}`];
    const watch = spawn(peer('kubectl'), args, {
      env: { HOME: cluster.folder, KUBECONFIG: cluster.kubeconfig },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pods = new PlayedPods(cluster, namespace, watch);
    createInterface(watch.stdout).on('line', (line) => {
      const [name = '', phase, part = ''] = line.split(' ');
      if (phase !== 'Pending' || pods.played.has(name)) return;
      pods.played.add(name);
      pods.parts.push(part);
      pods.work = pods.work.then(() => pods.play(name, part));
    });
    return pods;
  }

  async stop(): Promise<void> {
    this.watch.kill('SIGTERM');
    await once(this.watch, 'exit');
    await this.work;
  }

  private play(name: string, part: string): Promise<unknown> {
    const ready = [{ type: 'Ready', status: 'True' }];
    const status = ENDING.includes(part) ? { phase: 'Succeeded' } : { phase: 'Running', conditions: ready };
    const patch = JSON.stringify({ status });
    // A pod that has gone meanwhile needs nothing.
    return this.cluster.type(
      `kubectl --namespace ${this.namespace} patch pod ${name} --subresource status --patch '${patch}'`,
    );
  }
}
