import type { DecodedPack } from '../pack/decoded-pack';

/** What to send: everything reachable from `wants` and not from `haves`. Ids are 40 hex digits. */
export interface FetchRequest {
  wants: readonly string[];
  haves: readonly string[];
  /** false: the server sends only when it finds that the wants descend from the haves. true: it sends at once. */
  done: boolean;
  /** Send files and directories too. Default: only commits, and what is wanted by id, where the server can filter. */
  complete?: boolean;
  /** Only the wanted commits themselves, each with its root directory, without their ancestors. Protocol v2 only. */
  single?: boolean;
}

export interface FetchAnswer {
  /** Whether the server knows one of the haves. A hint: only the received history proves anything. */
  acknowledged: boolean;
  /** Absent when the server saw no path to the haves and was not told `done`. */
  pack?: DecodedPack;
}

/** What the server said that it can do. */
export interface Capabilities {
  version: 0 | 2;
  /** The server leaves out files and directories when asked to. */
  filter: boolean;
}
