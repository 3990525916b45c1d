const MIB = 1024 * 1024;

/**
 * Caps of one verification. Exceeding a size ends it as `remote_too_large`, exceeding a time as `remote_unreadable`.
 */
export interface VerifierCaps {
  /** Bytes received from the remote in one verification. */
  downloadBytes: number;
  /** Bytes of all objects of one verification after inflating and after applying deltas. */
  inflatedBytes: number;
  /** Objects received in one verification. */
  objects: number;
  /** Parents of all commits of one verification; most commits have one or two. */
  parents: number;
  /** Lines of git's wire format in one verification. A pack arrives in some hundreds or thousands. */
  packets: number;
  /** Bytes of a single object. */
  objectBytes: number;
  /** Bytes of a file that is compared line by line. A larger file counts as binary. */
  diffedFileBytes: number;
  /** Lines of a file that is compared line by line. A longer file counts as binary. */
  diffedFileLines: number;
  /** Lines inserted and deleted between two versions of a file up to which a shortest edit script is computed. */
  diffedLines: number;
  /** Lines read while versions of files are compared, in one verification. */
  lineSteps: number;
  /** Bytes of one answer that lists capabilities or branches, and of the part of an answer before its pack. */
  refsBytes: number;
  /** HTTP requests of one verification: a few for each level of folders, for any number of commits and paths. */
  requests: number;
  /** Milliseconds without a byte from the remote, including the wait for the first one. */
  idleMs: number;
  /** Milliseconds of one verification, from its first connection. */
  totalMs: number;
  /** Milliseconds of the comparison of a verified landing's content, after which it is given up. */
  contentMs: number;
  /** Commits at which a source branch meets the target's history. */
  boundaryCommits: number;
  /** Paths that a source branch changes. */
  changedPaths: number;
  /** Commits of the target branch that are compared with the change set. */
  candidates: number;
  /** Deltas on top of each other in a pack. */
  deltaDepth: number;
}

export interface VerifierConcurrency {
  /**
   * Verifications that run at once, of all tenants together; each has a worker process of its own. A verification that
   * has waited for its remote for three quarters of a second loses its place until the remote answers.
   */
  total: number;
  /**
   * Verifications that wait for their remotes without a place. With one more, the one that has waited longest is ended.
   */
  silent: number;
  /** Verifications of one tenant that run at once. */
  perTenant: number;
  /** Verifications of one tenant that wait; one more is rejected. */
  waitingPerTenant: number;
  /** Megabytes of JavaScript heap of one worker process. */
  workerHeapMegabytes: number;
  /** Milliseconds after which an idle worker process is ended. */
  workerIdleMs: number;
}

/** How a deployment may read remotes. The defaults admit public addresses over https and nothing else. */
export interface VerifierConfig {
  /** Whether to read remotes over plain http. */
  allowHttp: boolean;
  /** Whether to read remotes on this machine's loopback addresses. */
  allowLoopback: boolean;
  /** The networks that the operator opens beyond public addresses: CIDRs, and `host:port`. See AllowedNetworks. */
  allowedNetworks?: string[];
  /** Whether to read remotes that are directories of this machine. */
  allowFile: boolean;
  /**
   * How host names are resolved. `dns` asks the name servers directly, so a slow name server delays no other request;
   * `system` also uses this machine's hosts file, for a deployment that serves one person.
   */
  nameResolution: 'dns' | 'system';
  /** Name servers as `address:port`, for `dns` only. Default: those of the machine. */
  nameServers?: string[];
  /** Certificates (PEM) that are trusted in addition to the well-known authorities, for a forge with a private one. */
  certificateAuthorities?: string[] | undefined;
  /** PATH on which the `git` that serves local directories is searched. Default: the operating system's. */
  gitSearchPath?: string;
  caps: VerifierCaps;
  concurrency: VerifierConcurrency;
}

export const defaultVerifierCaps: VerifierCaps = {
  downloadBytes: 64 * MIB,
  inflatedBytes: 256 * MIB,
  objects: 200_000,
  parents: 500_000,
  packets: 500_000,
  objectBytes: 16 * MIB,
  diffedFileBytes: 4 * MIB,
  diffedFileLines: 100_000,
  diffedLines: 2_000,
  lineSteps: 150_000_000,
  refsBytes: 64 * 1024,
  requests: 1_000,
  idleMs: 10_000,
  totalMs: 40_000,
  contentMs: 15_000,
  boundaryCommits: 512,
  changedPaths: 5_000,
  candidates: 10_000,
  deltaDepth: 4_095,
};

export const defaultVerifierConfig: VerifierConfig = {
  allowHttp: false,
  allowLoopback: false,
  allowFile: false,
  nameResolution: 'dns',
  caps: defaultVerifierCaps,
  concurrency: {
    total: 6,
    silent: 6,
    perTenant: 2,
    waitingPerTenant: 100,
    workerHeapMegabytes: 192,
    workerIdleMs: 30_000,
  },
};

/** For the service that one person runs on the same machine as the repositories. */
export const embeddedVerifierConfig: VerifierConfig = {
  ...defaultVerifierConfig,
  allowHttp: true,
  allowLoopback: true,
  allowFile: true,
  nameResolution: 'system',
};
