import { tooLarge } from './remote-failure';

/**
 * Limits the work of comparing lines, counted in lines read; a million take about 20 ms. Files can be crafted so that
 * every line may pair with many others; without a limit, comparing such files would take hours.
 */
export class LineSteps {
  private spent = 0;

  /** @param max lines of one verification */
  constructor(private readonly max: number) {}

  /** @throws RemoteFailure remote_too_large */
  spend(count: number): void {
    this.spent += count;
    if (this.spent > this.max) throw tooLarge('lines take too long to compare');
  }
}
