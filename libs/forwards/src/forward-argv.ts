import { basename } from 'node:path';

/** The two ends that a forward connects: a local port, and a port of a Service. */
export interface ForwardTarget {
  namespace: string;
  service: string;
  localPort: number;
  /** The Service's port. */
  port: number;
}

/** The target, with what the daemon needs in addition to it. */
export interface ForwardStart extends ForwardTarget {
  /** Context of the kubeconfig; undefined: the current one. */
  context?: string | undefined;
  /** The state file, which names tenant, environment and log. */
  state: string;
}

/** Name of the daemon's program, by which it is recognized. */
export const DAEMON_PROGRAM = 'portforward.js';

const SERVICE_WORDS = ['svc', 'service', 'services', 'service.v1', 'services.v1'];
const PORT_MAX = 65_535;

/** The arguments of the daemon after its program. Rule H9. */
export function forwardArgs({ namespace, service, localPort, port, context, state }: ForwardStart): string[] {
  const ofContext = context === undefined || context === '' ? [] : ['--context', context];
  const pair = `${localPort}:${port}`;
  return [
    'forward',
    '--namespace',
    namespace,
    '--service',
    service,
    '--ports',
    pair,
    ...ofContext,
    '--state',
    state,
  ];
}

/** The target of a process that forwards, as far as its argv says. */
export interface ArgvTarget extends ForwardTarget {
  /** Undefined: the current one of its kubeconfig. */
  context?: string | undefined;
}

/** Whether a process with this argv may be signalled at all: the daemon, or `kubectl … port-forward`. Rule H9. */
export function isForward(argv: readonly string[]): boolean {
  return targetsOf(argv).length > 0;
}

/**
 * Whether a process with this argv is a port-forward with these ends: same namespace, Service and pair of ports. Context
 * and address are not compared. Rule H9.
 */
export function matchesForward(argv: readonly string[], target: ForwardTarget): boolean {
  return matchOf(argv, target) !== undefined;
}

/** The part of an argv that matches, with its context. */
export function matchOf(argv: readonly string[], target: ForwardTarget): ArgvTarget | undefined {
  return targetsOf(argv).find(
    ({ namespace, service, localPort, port }) =>
      namespace === target.namespace &&
      service === target.service &&
      localPort === target.localPort &&
      port === target.port,
  );
}

/** Returns the targets that a process with this argv forwards; empty if it is no port-forward. */
export function targetsOf(argv: readonly string[]): ArgvTarget[] {
  if (isDaemon(argv)) return ofDaemon(argv.slice(programAt(argv) + 2));
  if (/^kubectl(?:\.exe)?$/.test(basename(argv[0] ?? ''))) return ofKubectl(argv.slice(1));
  return [];
}

/** Whether a process with this argv is the client's own daemon. */
export function isDaemon(argv: readonly string[]): boolean {
  const at = programAt(argv);
  return basename(argv[at] ?? '') === DAEMON_PROGRAM && argv[at + 1] === 'forward';
}

/** Flags of node whose value is the next word; any other has it after `=`, or has none. */
const NODE_VALUES = [
  '--conditions',
  '-C',
  '--diagnostic-dir',
  '--disable-warning',
  '--dns-result-order',
  '--env-file',
  '--experimental-loader',
  '--icu-data-dir',
  '--import',
  '--inspect-port',
  '--debug-port',
  '--loader',
  '--max-http-header-size',
  '--openssl-config',
  '--redirect-warnings',
  '--report-dir',
  '--report-directory',
  '--require',
  '-r',
  '--title',
  '--tls-cipher-list',
  '--unhandled-rejections',
];
/**
 * With these, node runs no program, or the text that follows. Any account may write a word of 128 KiB into the arguments of
 * its process, so the pattern takes time in proportion to a word's length.
 */
const NO_PROGRAM =
  /^(?:-[a-df-oq-z]*[ep][a-z]*|--eval|--print|--check|-c|--test|--run|-i|--interactive)(?:=|$)/;

/** Returns the index of the program in the argv of node, behind node's own flags; -1 for another process. */
function programAt(argv: readonly string[]): number {
  const [node = ''] = argv;
  const isNode = /^node(?:js)?[\d.-]*(?:\.exe)?$/.test(basename(node)) || node === process.execPath;
  for (let at = 1; isNode && at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (!word.startsWith('-') || word === '-') return at;
    if (NO_PROGRAM.test(word)) return -1;
    if (word === '--') return at + 1;
    if (NODE_VALUES.includes(word)) at += 1;
  }
  return -1;
}

function ofDaemon(args: readonly string[]): ArgvTarget[] {
  const { flags } = readFlags(args, {
    '--namespace': 1,
    '--service': 1,
    '--ports': 1,
    '--context': 1,
    '--state': 1,
  });
  const ports = portsOf(flags.get('--ports') ?? '');
  const [namespace, service] = [flags.get('--namespace'), flags.get('--service')];
  return namespace === undefined || service === undefined || ports === undefined
    ? []
    : [{ namespace, service, ...ports, context: flags.get('--context') }];
}

/** Flags of kubectl that take no value; any other flag is followed by one, or has it after `=`. */
const KUBECTL_SWITCHES = [
  '--disable-compression',
  '--insecure-skip-tls-verify',
  '--match-server-version',
  '--warnings-as-errors',
  '--help',
  '-h',
];

function ofKubectl(args: readonly string[]): ArgvTarget[] {
  const switches = Object.fromEntries(KUBECTL_SWITCHES.map((name) => [name, 0]));
  const { flags, words } = readFlags(args, switches);
  const [command, resource = '', ...pairs] = words;
  if (command !== 'port-forward') return [];
  const [kind = '', service, ...more] = resource.split('/');
  if (service === undefined || more.length > 0 || !SERVICE_WORDS.includes(kind)) return [];
  const namespace = flags.get('--namespace');
  if (namespace === undefined) return [];
  return pairs.flatMap((pair) => {
    const ports = portsOf(pair);
    return ports === undefined ? [] : [{ namespace, service, ...ports, context: flags.get('--context') }];
  });
}

/**
 * Separates flags from words.
 *
 * @param values number of words that follow a flag; of a flag without an entry, one
 */
function readFlags(args: readonly string[], values: Readonly<Record<string, number>>) {
  const flags = new Map<string, string>();
  const words: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const [, name = arg, value] = /^(--?[^=]+)=(.*)$/s.exec(arg) ?? [];
    const [, short, attached] = /^(-[a-zA-Z])(.+)$/.exec(arg) ?? [];
    if (arg === '--') return { flags, words: [...words, ...args.slice(at + 1)] };
    if (value !== undefined) flags.set(longName(name), value);
    else if (short !== undefined && attached !== undefined) flags.set(longName(short), attached);
    else if (!arg.startsWith('-')) words.push(arg);
    else if ((values[arg] ?? 1) > 0) flags.set(longName(arg), args[(at += 1)] ?? '');
  }
  return { flags, words };
}

/** One name for a flag with two: the last of both counts. */
const longName = (flag: string): string => (flag === '-n' ? '--namespace' : flag);

/** `L:R`, or `P` for the same port on both sides. */
function portsOf(pair: string): { localPort: number; port: number } | undefined {
  const [, local, remote = local] = /^(\d{1,5})(?::(\d{1,5}))?$/.exec(pair) ?? [];
  const [localPort, port] = [Number(local), Number(remote)];
  const areValid = [localPort, port].every((each) => each >= 1 && each <= PORT_MAX);
  return areValid ? { localPort, port } : undefined;
}
