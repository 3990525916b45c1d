/** One request to a remote, as it is reported for a trace: no credentials, no ref and no repository's path. */
export interface GitRequest {
  host: string;
  method: string;
  /** Which part of git's smart protocol the path is: all of a remote's paths end in one of them. */
  path: 'info/refs' | 'git-upload-pack' | 'other';
  /** Milliseconds since 1970, to the end of the answer's body. */
  startMs: number;
  endMs: number;
  failed: boolean;
}
