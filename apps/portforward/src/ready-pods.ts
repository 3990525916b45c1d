import type { V1Pod, V1PodList, V1Service } from '@kubernetes/client-node';
import { abortable, withDeadline } from './abortable';
import { type ClusterApi } from './cluster-api';
import { ApiRefusal, ApiUnreachable, EnvironmentGone, ServiceUnready } from './failures';
import { SharedQuestion } from './shared-question';

const QUESTION_MS = 10_000;
const PORT_MAX = 65_535;

/** A port of a Service. */
export interface ServicePort {
  namespace: string;
  service: string;
  port: number;
}

/** A pod that takes connections now, and its port. */
export interface ReadyPod {
  name: string;
  /** Another pod may get the same name. */
  uid: string;
  port: number;
}

interface Question {
  /** The options of the query. */
  options: string;
  signal: AbortSignal;
}

/** The state that an API server answers from: its cache, some milliseconds behind, or the data stored at that time. */
export type ClusterState = 'cached' | 'current';

/** The pods behind a port of a Service, as the API server knows them. */
export class ReadyPods {
  private readonly base: string;
  /** The selector of the last answer. It rarely changes, so the pods are asked for at the same time as the Service. */
  private selector: string | undefined;
  private readonly questions = {
    cached: new SharedQuestion(() => this.ask('resourceVersion=0')),
    current: new SharedQuestion(() => this.ask('')),
  };

  constructor(
    private readonly api: ClusterApi,
    private readonly target: ServicePort,
  ) {
    this.base = `/api/v1/namespaces/${target.namespace}`;
  }

  /**
   * The pods that are ready and not terminating, by a question that is asked after this call. Calls of the same moment
   * share one.
   *
   * @throws ServiceUnready if there is none, no such Service or no such port
   * @throws EnvironmentGone if the namespace does not exist
   */
  find(state: ClusterState, signal: AbortSignal): Promise<ReadyPod[]> {
    return abortable(this.questions[state].answer(), signal);
  }

  private ask(options: string): Promise<ReadyPod[]> {
    const late = new ApiUnreachable('The API server does not answer.', false);
    return withDeadline(QUESTION_MS, late, (signal) => this.findNow({ options, signal }));
  }

  private async findNow(question: Question): Promise<ReadyPod[]> {
    const asked = this.selector;
    const [service, early] = await Promise.all([
      this.service(question),
      asked === undefined ? undefined : this.pods(asked, question),
    ]);
    const selector = this.selectorOf(service);
    const pods = early && selector === asked ? early : await this.pods(selector, question);
    this.selector = selector;
    const ready = pods.filter((pod) => isReady(pod, service)).map((pod) => this.readyPod(pod, service));
    const found = ready.filter((pod) => pod !== undefined);
    if (found.length > 0) return found;
    throw new ServiceUnready(
      ready.length > 0
        ? `No ready pod of the Service ${this.target.service} has its port ${this.target.port}.`
        : `No pod of the Service ${this.target.service} is ready.`,
    );
  }

  /** The path that forwards connections to a pod. */
  forwardPath({ name }: ReadyPod): string {
    return `${this.base}/pods/${name}/portforward`;
  }

  private async service({ options, signal }: Question): Promise<V1Service> {
    const { namespace, service } = this.target;
    try {
      return (await this.api.get(`${this.base}/services/${service}?${options}`, signal)) as V1Service;
    } catch (error) {
      // Rights that were bound to the namespace go with it.
      if (!(error instanceof ApiRefusal && [403, 404].includes(error.status))) throw error;
      if (await this.isNamespaceGone(signal)) {
        throw new EnvironmentGone(`The namespace ${namespace} is gone.`);
      }
      if (error.status === 403) throw error;
      throw new ServiceUnready(`The namespace ${namespace} has no Service ${service}.`);
    }
  }

  /** Only an answer that says so: a refusal to answer is none. */
  private async isNamespaceGone(signal: AbortSignal): Promise<boolean> {
    try {
      await this.api.get(this.base, signal);
      return false;
    } catch (error) {
      if (error instanceof ApiRefusal) return error.status === 404;
      throw error;
    }
  }

  private async pods(selector: string, { options, signal }: Question): Promise<V1Pod[]> {
    const path = `${this.base}/pods?labelSelector=${encodeURIComponent(selector)}&${options}`;
    return ((await this.api.get(path, signal)) as V1PodList).items ?? [];
  }

  private selectorOf({ spec }: V1Service): string {
    const pairs = Object.entries(spec?.selector ?? {}).map(([label, value]) => `${label}=${value}`);
    if (pairs.length > 0) return pairs.join(',');
    throw new ServiceUnready(`The Service ${this.target.service} selects no pods.`);
  }

  private readyPod(pod: V1Pod, { spec }: V1Service): ReadyPod | undefined {
    const { service, port } = this.target;
    const found = spec?.ports?.find((candidate) => candidate.port === port);
    if (!found) throw new ServiceUnready(`The Service ${service} has no port ${port}.`);
    const targetPort = found.targetPort ?? port;
    const number = typeof targetPort === 'number' ? targetPort : namedPort(pod, targetPort);
    const { name, uid = '' } = pod.metadata ?? {};
    return name === undefined || !isPort(number) ? undefined : { name, uid, port: number };
  }
}

/** A session keeps its WebSocket for a stream that is then not opened, so a wrong port is none. */
const isPort = (port: unknown): port is number =>
  Number.isInteger(port) && (port as number) >= 1 && (port as number) <= PORT_MAX;

function isReady({ metadata, status }: V1Pod, { spec }: V1Service): boolean {
  if (metadata?.deletionTimestamp || status?.phase !== 'Running') return false;
  if (spec?.publishNotReadyAddresses) return true;
  return status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
}

/** Containers that keep running alongside the others are init containers with a restart policy. */
function namedPort({ spec }: V1Pod, name: string): number | undefined {
  const sidecars = spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? [];
  const ports = [...(spec?.containers ?? []), ...sidecars].flatMap((container) => container.ports ?? []);
  return ports.find((port) => port.name === name)?.containerPort;
}
