/** A value under its labels. */
export interface Sample {
  labels?: Record<string, string>;
  value: number;
}
