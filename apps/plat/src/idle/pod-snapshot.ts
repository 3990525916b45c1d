/** The observed state of a pod at one moment. Times are epoch milliseconds. */
export interface PodSnapshot {
  now: number;
  /** The monotonic clock of the machine, which stands still while the machine is suspended, in milliseconds. */
  monotonic: number;
  /** When the pod's first process began. */
  startedAt: number;
  /** The terminals, with the last input of each. */
  terminals: readonly OpenTerminal[];
  /** The terminals of processes; other processes have none. */
  attached: readonly AttachedProcess[];
  /** Bytes that went over the network since the pod began. */
  trafficBytes: number;
  /** Holders of live leases. */
  leaseHolders: readonly string[];
  /** When a lease was last taken or given back; undefined: never. */
  leaseUsedAt?: number | undefined;
  runningJobs: number;
  /** When a job last began or ended; undefined: never. */
  jobUsedAt?: number | undefined;
}

export interface OpenTerminal {
  /** N of /dev/pts/N. */
  number: number;
  lastInputAt: number;
}

export interface AttachedProcess {
  terminal: number;
  /** Whether the desktop's prober started it. Spec: Client, Variables read by the client, PLAT_IDLE_PROBE. */
  isProbe: boolean;
}

/** Clock ticks per second in /proc, which Linux has fixed for programs. */
const TICKS_PER_SECOND = 100;
/** Major number of the devices /dev/pts/N. */
const PTS_MAJOR = 136;
const LOOPBACK = 'lo';

/** The terminals that people use: those on which a process other than the prober's runs. */
export function usedTerminals({ terminals, attached }: PodSnapshot): OpenTerminal[] {
  return terminals.filter(({ number }) => {
    const own = attached.filter(({ terminal }) => terminal === number);
    return own.length === 0 || own.some(({ isProbe }) => !isProbe);
  });
}

/**
 * The bytes of /proc/net/dev. A forward from a laptop arrives over loopback, where each byte is sent and received, so
 * loopback counts once.
 */
export function trafficOf(netDev: string): number {
  const rows = netDev.split('\n').flatMap((line) => {
    const [, name, numbers] = /^\s*([^\s:]+):\s*(.*)$/.exec(line) ?? [];
    return name === undefined || numbers === undefined ? [] : [{ name, numbers: numbers.split(/\s+/) }];
  });
  const bytes = rows.map(({ name, numbers }) => {
    const [received, sent] = [Number(numbers[0]), Number(numbers[8])];
    return name === LOOPBACK ? received : received + sent;
  });
  return bytes.reduce((sum, each) => sum + each, 0);
}

/** The facts of /proc/PID/stat: the process's terminal, and its start in clock ticks since the machine's. */
export function processStat(stat: string): { terminal?: number | undefined; startTicks: number } {
  // The name in brackets may contain any character. The fields after it begin with the third, the state.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const device = Number(fields[4]);
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  return { terminal: major === PTS_MAJOR ? minor : undefined, startTicks: Number(fields[19]) };
}

/** When a process began. @param machineStat /proc/stat, with the machine's start in seconds */
export function beganAt(machineStat: string, startTicks: number): number {
  const seconds = Number(/^btime (\d+)$/m.exec(machineStat)?.[1]);
  return seconds * 1000 + Math.floor((startTicks * 1000) / TICKS_PER_SECOND);
}

/** Whether /proc/PID/environ is that of a process of the desktop's prober. */
export function isProbeEnvironment(environ: string): boolean {
  return environ.split('\0').includes('PLAT_IDLE_PROBE=true');
}
