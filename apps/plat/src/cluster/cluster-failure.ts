import type { ClientErrorCode } from '../error-codes/client-errors';
import { Failure, type FailureFacts } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { OutputTail } from '../terminal/output-tail';
import { shellQuote } from '../terminal/shell-quote';
import type { ToolAnswer, ToolName, ToolRun } from './run-tool';

/** A kind of failure that kubectl and helm report in their messages only; both exit with 1 for all of them. */
interface Kind {
  code: ClientErrorCode;
  pattern: RegExp;
  next: NextStep;
}

/** In this order: helm calls a context that does not exist an unreachable cluster. */
const KINDS: readonly Kind[] = [
  {
    code: 'CONTEXT_NOT_FOUND',
    pattern: /context "[^"]*" does not exist|context was not found for specified context/,
    next: nextStep('kubectl config get-contexts'),
  },
  {
    code: 'KUBECONFIG_UNREADABLE',
    pattern: /error loading config file|invalid configuration:|illegal base64 data/i,
    next: nextStep(
      'correct the file that KUBECONFIG names (default ~/.kube/config), then repeat the command',
    ),
  },
  // The API server calls these forbidden, too, and no sign-in would help.
  {
    code: 'NAMESPACE_TERMINATING',
    pattern: /because it is being terminated/,
    next: nextStep('wait until the namespace is gone (kubectl get namespaces), then repeat the command'),
  },
  {
    code: 'CLUSTER_POLICY',
    pattern: /exceeded quota|violates PodSecurity|admission webhook .* denied the request/,
    next: nextStep(
      'change what the message names, in the cluster or in the configuration, then repeat the command',
    ),
  },
  {
    code: 'CLUSTER_WEBHOOK_FAILED',
    pattern: /failed calling webhook/,
    next: nextStep("have the cluster's admission webhook mended, then repeat the command"),
  },
  {
    code: 'CLUSTER_REFUSED',
    // The last two: kubectl asks for a name and a password, because the context has no credentials.
    pattern:
      /\(Forbidden\)|\bis forbidden\b|Unauthorized|must be logged in to the server|provide credentials|error reading input for |^error: EOF$/m,
    next: nextStep('sign in to the cluster as someone who may do this, then repeat the command'),
  },
  // Before the next kind, whose first words kubectl prints here, too.
  {
    code: 'CERTIFICATE_NOT_TRUSTED',
    pattern: /x509: certificate signed by unknown authority|x509: .* certificate is not trusted/,
    next: nextStep(
      "name the cluster's authority in the kubeconfig (docs/private-authority.md), then repeat the command",
    ),
  },
  {
    code: 'CLUSTER_UNREACHABLE',
    pattern:
      /cluster unreachable|unable to connect to the server|connection to the server .* was refused|connection refused|no such host|no route to host|network is unreachable|i\/o timeout|tls handshake timeout|deadline exceeded|failed to verify certificate|getting credentials/i,
    next: nextStep(
      'start the cluster or connect to its network (kubectl version shows whether it answers), then repeat the command',
    ),
  },
];
/** The code of a failure of no kind above, by its program. */
const OTHER_FAILURE: Readonly<Record<ToolName, ClientErrorCode>> = {
  kubectl: 'KUBECTL_FAILED',
  helm: 'HELM_FAILED',
};

/** Lines of client-go's own log, which repeats the message for each of its attempts. */
const LOG_LINE = /^[EWI]\d{4} \d\d:\d\d:\d\d\.\d+ .*$/gm;

/** The most that is read of a program's report, at its beginning and at its end: an API server may send megabytes. */
const READ_MAX = 16 * 1024;

/**
 * The failure of a call that was expected to succeed: CONTEXT_NOT_FOUND, KUBECONFIG_UNREADABLE, CLUSTER_REFUSED,
 * CERTIFICATE_NOT_TRUSTED, CLUSTER_UNREACHABLE and others; otherwise KUBECTL_FAILED or HELM_FAILED.
 */
export function clusterFailure(argv: ToolRun['argv'], { code, stderr }: ToolAnswer): Failure {
  const [program] = argv;
  const said = messageOf(stderr) || (code === null ? 'a signal ended it' : `it exited with ${code}`);
  const kind = KINDS.find(({ pattern }) =>
    [stderr.slice(0, READ_MAX), stderr.slice(-READ_MAX)].some((part) => pattern.test(part)),
  );
  const facts: FailureFacts = { details: { command: [...argv], exitCode: code } };
  const message = `${shellQuote(argv)} failed: ${said}`;
  if (kind !== undefined) return new Failure(kind.code, message, { ...facts, next: kind.next });
  return new Failure(OTHER_FAILURE[program], message, {
    ...facts,
    next: 'correct the reported problem, then repeat the command',
  });
}

/** Returns the report of the program, without the log of its library if there is more. */
function messageOf(stderr: string): string {
  const tail = new OutputTail(READ_MAX);
  tail.add(Buffer.from(stderr));
  const text = tail.text();
  return (
    text
      .replaceAll(LOG_LINE, '')
      .replaceAll(/\n{2,}/g, '\n')
      .trim() || text.trim()
  );
}
