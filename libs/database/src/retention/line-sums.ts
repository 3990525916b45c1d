import { createHash } from 'node:crypto';

/** The number and the sums of an export's lines, which distinguish them from any others. */
export interface Sums {
  rows: number;
  /** The SHA-256 of the lines with their newlines, in their order, in hex. */
  sha256: string;
  /** The sum of audit.line_digest over the lines, in any order. */
  digest: string;
}

/** Sums lines up as audit.drop_partition does. */
export class LineSums {
  private readonly hash = createHash('sha256');
  private rows = 0;
  private digest = 0n;

  /** @param line without its newline */
  add(line: string | Buffer): void {
    this.hash.update(line).update('\n');
    this.digest += createHash('sha256').update(line).digest().readBigInt64BE(0);
    this.rows += 1;
  }

  end(): Sums {
    return { rows: this.rows, sha256: this.hash.digest('hex'), digest: this.digest.toString() };
  }
}
