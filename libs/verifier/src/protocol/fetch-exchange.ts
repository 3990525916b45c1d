import type { DecodedPack } from '../pack/decoded-pack';

/** Requests everything reachable from `wants` and not from `haves`. Ids are 40 hex digits. */
export interface FetchRequest {
  wants: readonly string[];
  haves: readonly string[];
  /** If false, the server sends only if it finds that the wants descend from the haves. If true, it sends at once. */
  done: boolean;
  /**
   * Whether to send all files and directories. Default: if the server can filter, only commits and what is wanted by
   * id.
   */
  complete?: boolean;
  /**
   * Whether to send only the wanted commits, each with its root directory, without their ancestors. Protocol v2 only.
   */
  single?: boolean;
  /** Most generations of commits to send, from the wanted ones on. Protocol v2 only. Default: all. */
  generations?: number;
}

export interface FetchAnswer {
  /** Whether the server knows one of the haves. Only a hint: the received history is the proof. */
  acknowledged: boolean;
  /** Absent if the server saw no path to the haves and the request was not `done`. */
  pack?: DecodedPack;
}

/** The capabilities that the server claims. */
export interface Capabilities {
  version: 0 | 2;
  /** Whether the server can leave out files and directories. */
  filter: boolean;
}
