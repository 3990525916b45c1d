import { clusterFailure } from './cluster-failure';
import { runTool, type ToolAnswer, type ToolName } from './run-tool';

/** Longest run of a call that names no other. helm's own limit for a hook is 5 minutes. */
const DEADLINE_SECONDS: Readonly<Record<ToolName, number>> = { kubectl: 60, helm: 600 };

/** Where a command works. */
export interface ClusterTarget {
  /** Context of the kubeconfig; undefined: the current one. */
  context?: string | undefined;
  namespace?: string | undefined;
}

/** The options of a call, in addition to its arguments. */
export interface ToolCall {
  /** Written to stdin; secrets get to a program in this way only. */
  input?: string;
  /** Texts of the input that no output, message or trace may repeat. */
  secrets?: readonly string[];
  /** Default: 60 for kubectl, 600 for helm. */
  deadlineSeconds?: number;
}

/** kubectl or helm, for one target. */
export interface ClusterTool {
  /** The whole command, as `--dry-run` prints it. */
  argv(args: readonly string[]): [ToolName, ...string[]];
  /**
   * Runs it and returns its answer for any exit code.
   *
   * @throws Failure PROGRAM_MISSING, CLUSTER_TIMED_OUT, INTERRUPTED
   */
  try(args: readonly string[], call?: ToolCall): Promise<ToolAnswer>;
  /** Runs it and returns its stdout. @throws Failure those of `try` and of `clusterFailure` */
  run(args: readonly string[], call?: ToolCall): Promise<string>;
}

/** A cluster, by the programs of the user's machine. */
export interface Cluster {
  target: ClusterTarget;
  /** `kubectl [--context C] [--namespace NS] <args>`. Rule H7. */
  kubectl: ClusterTool;
  /** `helm [--kube-context C] <args>`; the arguments name the namespace. Rule H7. */
  helm: ClusterTool;
}

/** @param interrupted ends the running program, and prevents any later one */
export function openCluster(target: ClusterTarget, interrupted?: AbortSignal): Cluster {
  const { context, namespace } = target;
  const [ofKubectl, inNamespace, ofHelm] = [
    flag('--context', context),
    flag('--namespace', namespace),
    flag('--kube-context', context),
  ];
  return {
    target,
    kubectl: tool((args) => ['kubectl', ...ofKubectl, ...inNamespace, ...args], interrupted),
    helm: tool((args) => ['helm', ...ofHelm, ...args], interrupted),
  };
}

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}

function tool(argv: ClusterTool['argv'], interrupted: AbortSignal | undefined): ClusterTool {
  const attempt = (args: readonly string[], { input, secrets, deadlineSeconds }: ToolCall = {}) => {
    const whole = argv(args);
    const deadline = deadlineSeconds ?? DEADLINE_SECONDS[whole[0]];
    return runTool({ argv: whole, input, secrets, deadlineSeconds: deadline, interrupted });
  };
  return {
    argv,
    try: attempt,
    async run(args, call) {
      const answer = await attempt(args, call);
      if (answer.code !== 0) throw clusterFailure(argv(args), answer);
      return answer.stdout;
    },
  };
}
