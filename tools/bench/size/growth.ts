import { median } from '../median';

/** The same work beside little and beside much data, in turns. */
export interface Growth {
  name: string;
  smallMs: number;
  largeMs: number;
  /** Of the medians. */
  ratio: number;
}

/** Durations by kind of work; the small and the large place's are taken in turns. */
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
