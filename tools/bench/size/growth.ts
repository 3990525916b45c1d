import { median } from '../median';

/** Median durations of one kind of work in the small and in the large case. */
export interface Growth {
  name: string;
  smallMs: number;
  largeMs: number;
  /** `largeMs` divided by `smallMs`. */
  ratio: number;
}

/** Collects durations by kind of work. The caller measures the small and the large case in turns. */
export class Turns {
  private readonly durations = new Map<string, { small: number[]; large: number[] }>();

  add(name: string, size: 'small' | 'large', milliseconds: number): void {
    const kept = this.durations.get(name) ?? { small: [], large: [] };
    kept[size].push(milliseconds);
    this.durations.set(name, kept);
  }

  growths(): Growth[] {
    return [...this.durations].map(([name, { small, large }]) => {
      const [smallMs, largeMs] = [median(small), median(large)];
      return { name, smallMs, largeMs, ratio: largeMs / smallMs };
    });
  }
}
