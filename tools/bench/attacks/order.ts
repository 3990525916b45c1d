/** One request of an attacker. */
export interface AttackRequest {
  method: string;
  /** The target as it is written on the wire, however malformed. */
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

/** How an attacker attacks. */
export type Manner =
  /** Each connection reads the answer to a request, then sends the next one. */
  | 'flood'
  /** Each connection asks for an answer and never reads it. */
  | 'unread'
  /** Every other connection sends a body of 1 MiB with its length; the rest send bodies that never end. */
  | 'bodies';

/** The task of an attacker's process, which reads it from its stdin. */
export interface AttackOrder {
  url: string;
  /** Sent in the Authorization header. Absent if the attacker has none. */
  token?: string;
  manner: Manner;
  connections: number;
  /** Sent in turns. */
  requests: AttackRequest[];
}

/** The attacker's tally, which its process prints: the numbers of answers by status and of cut connections. */
export interface AttackTally {
  answers: Record<string, number>;
  cut: number;
}
