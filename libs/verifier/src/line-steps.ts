import { tooLarge } from './remote-failure';

/**
 * What comparing lines may cost, in lines looked at; a million take some 20 ms. Files can be made of which every line
 * may be any other: comparing those would go on for hours.
 */
export class LineSteps {
  private spent = 0;

  /** @param max of one verification */
  constructor(private readonly max: number) {}

  /** @throws RemoteFailure remote_too_large */
  spend(count: number): void {
    this.spent += count;
    if (this.spent > this.max) throw tooLarge('lines take too long to compare');
  }
}
