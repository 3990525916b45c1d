/** An access token and when it ends. It is in this page's memory and nowhere else. */
export interface Token {
  value: string;
  /** Milliseconds since 1970. */
  endsAt: number;
}

/** `out`: no one has signed in here. `ended`: the token is over or was refused. `left`: the person signed out. */
export type SessionState = 'out' | 'in' | 'ended' | 'left';

/** The longest time that a timer of a browser can take. */
const TIMER_MILLISECONDS_MAX = 2 ** 31 - 1;

/** The session of the person who is signed in on this page. A reload forgets it. */
export class Session {
  private held: Token | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();
  state: SessionState = 'out';
  /** How many sign-ins there were on this page. */
  begun = 0;

  /** The token to send; undefined if no one is signed in. */
  get token(): string | undefined {
    if (this.held !== undefined && Date.now() >= this.held.endsAt) this.end();
    return this.held?.value;
  }

  begin(token: Token): void {
    this.held = token;
    this.begun += 1;
    clearTimeout(this.timer);
    const rest = Math.min(Math.max(token.endsAt - Date.now(), 0), TIMER_MILLISECONDS_MAX);
    this.timer = setTimeout(() => this.token, rest);
    this.become('in');
  }

  /** The token is over: by its own time, or because the service refused it. What is shown stays, and is marked. */
  end(): void {
    if (this.state === 'in') this.forget('ended');
  }

  /** The person signs out. */
  leave(): void {
    this.forget('left');
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private forget(state: SessionState): void {
    this.held = undefined;
    clearTimeout(this.timer);
    this.become(state);
  }

  private become(state: SessionState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
