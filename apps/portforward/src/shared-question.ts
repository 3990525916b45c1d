/**
 * A question that many callers ask at once. One question is in flight at a time. Callers that come meanwhile share the
 * next one, because the answer to the one in flight may be older than their call.
 */
export class SharedQuestion<Answer> {
  private current: Promise<Answer> | undefined;
  private next: Promise<Answer> | undefined;

  constructor(private readonly ask: () => Promise<Answer>) {}

  answer(): Promise<Answer> {
    if (!this.current) return this.begin();
    this.next ??= this.current.then(
      () => this.begin(),
      () => this.begin(),
    );
    return this.next;
  }

  private begin(): Promise<Answer> {
    this.next = undefined;
    const current = this.ask();
    this.current = current;
    const ended = () => {
      if (this.current === current) this.current = undefined;
    };
    current.then(ended, ended);
    return current;
  }
}
