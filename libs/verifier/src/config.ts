const MIB = 1024 * 1024;

/** What one verification may cost. A cap that is hit ends it as `remote_too_large`, a time as `remote_unreadable`. */
export interface VerifierCaps {
  /** Bytes received from the remote, all requests of one verification together. */
  downloadBytes: number;
  /** Bytes of all objects of one verification after inflating and after applying deltas. */
  inflatedBytes: number;
  /** Objects received, all packs of one verification together. */
  objects: number;
  /** Parents of commits, all of one verification together; most commits have one or two. */
  parents: number;
  /** Lines of git's wire format, all of one verification together. A pack comes in some hundreds or thousands. */
  packets: number;
  /** Bytes of a single object. */
  objectBytes: number;
  /** Bytes of a file that is still compared line by line; a larger one counts as binary. */
  diffedFileBytes: number;
  /** Lines of such a file. */
  diffedFileLines: number;
  /** Lines inserted and deleted between two versions of a file for which a shortest edit script is looked for. */
  diffedLines: number;
  /** Lines looked at while versions of files are compared, all of one verification together. */
  lineSteps: number;
  /** Bytes of one answer that lists capabilities or branches, and of what an answer says before its pack. */
  refsBytes: number;
  /** HTTP requests of one verification: some for each level of folders, whatever the number of commits and paths. */
  requests: number;
  /** Milliseconds without a byte from the remote, the wait for the first one included. */
  idleMs: number;
  /** Milliseconds of one verification, from its first connection on. */
  totalMs: number;
  /** Milliseconds until the comparison of a verified landing's content is given up, from its start on. */
  contentMs: number;
  /** Commits on which a source branch touches the target's history. */
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
   * Verifications that work at once, of all tenants together; each has a worker process of its own. One that has waited
   * for its remote for a second has no place while it waits on.
   */
  total: number;
  /** Verifications that wait for their remotes without a place; of more, the one that has waited longest is ended. */
  silent: number;
  /** Verifications of one tenant that run at once. */
  perTenant: number;
  /** Verifications of one tenant that wait; one more is not judged. */
  waitingPerTenant: number;
  /** Megabytes of JavaScript heap of one worker process. */
  workerHeapMegabytes: number;
  /** Milliseconds after which a worker process without work is ended. */
  workerIdleMs: number;
}

/** How a deployment may read remotes. The defaults admit public addresses over https and nothing else. */
export interface VerifierConfig {
  /** Remotes over plain http. */
  allowHttp: boolean;
  /** Remotes on this machine's loopback addresses. */
  allowLoopback: boolean;
  /** Remotes that are directories of this machine. */
  allowFile: boolean;
  /**
   * Who resolves host names. `dns` asks the name servers directly, so a slow name server holds up nobody else;
   * `system` also knows this machine's hosts file, for a deployment that serves one person.
   */
  nameResolution: 'dns' | 'system';
  /** Name servers as `address:port`, for `dns` only. Default: those of the machine. */
  nameServers?: string[];
  /** Certificates (PEM) that are trusted beside the well-known authorities, for a forge with a private one. */
  certificateAuthorities?: string[];
  /** PATH on which the `git` that serves local directories is looked for. Default: the operating system's. */
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

/** For the service that one person runs on his own machine, beside his repositories. */
export const embeddedVerifierConfig: VerifierConfig = {
  ...defaultVerifierConfig,
  allowHttp: true,
  allowLoopback: true,
  allowFile: true,
  nameResolution: 'system',
};
