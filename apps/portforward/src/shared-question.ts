/**
 * A question that many ask at once. One is asked at a time; those who come meanwhile share the next, because the answer of
 * the one that is being asked may be older than their question.
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
