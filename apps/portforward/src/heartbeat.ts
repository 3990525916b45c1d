/** Something that is asked at each beat whether it is alive. */
interface Beating {
  /** @param mayJudge false if the process was stopped since the last beat: what came meanwhile is not yet read */
  beat(mayJudge: boolean): void;
}

const BEAT_MS = 20_000;

/** One timer for all open connections; none while there is no connection. */
export class Heartbeat {
  private readonly members = new Set<Beating>();
  private timer: NodeJS.Timeout | undefined;
  private lastBeat = 0;

  constructor(private readonly milliseconds = BEAT_MS) {}

  add(member: Beating): void {
    this.members.add(member);
    if (this.timer) return;
    this.lastBeat = performance.now();
    this.timer = setInterval(() => this.beat(), this.milliseconds);
  }

  delete(member: Beating): void {
    this.members.delete(member);
    if (this.members.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private beat(): void {
    const now = performance.now();
    const isLate = now - this.lastBeat > 1.5 * this.milliseconds;
    this.lastBeat = now;
    for (const member of [...this.members]) member.beat(!isLate);
  }
}
