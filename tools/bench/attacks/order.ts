/** One request of an attacker; without a token, nobody's. */
export interface AttackRequest {
  method: string;
  /** The target as it is written on the wire, however malformed. */
  path: string;
  body?: string;
}

/** How an attacker goes about it. */
export type Manner =
  /** Each connection sends the next request when the last is answered, and reads the answer. */
  | 'flood'
  /** Each connection asks for an answer and never reads it. */
  | 'unread'
  /** Each connection sends a body of 1 MiB that it announces, or for ever one that it doesn't. */
  | 'bodies';

/** What an attacker's process does, as it is written to its stdin. */
export interface AttackOrder {
  url: string;
  /** Of the Authorization header; absent for nobody. */
  token?: string;
  manner: Manner;
  connections: number;
  /** They are sent in turns. */
  requests: AttackRequest[];
}

/** What the attacker saw, as it is written to its stdout: answers by status, and connections that were cut. */
export interface AttackTally {
  answers: Record<string, number>;
  cut: number;
}
