import { type EnvironmentName, namespaceOf } from './names';

/** Ports of an environment, on both sides of a forward. Spec: Client, Port-forward patterns; Rule H5. */
export interface PortBlock {
  /** First and last port of the block. */
  start: number;
  end: number;
  mcp: number;
  sshd: number;
  api: number;
}

/** Start of the local port range: the first block's. Spec: Client, Limits. */
export const BLOCK_START_DEFAULT = 17_000;
const BLOCK_START_LAST = 65_400;
const BLOCK_SIZE = 100;
export const PORT_MIN = 1024;
export const PORT_MAX = 65_535;
/** The highest start that can be set by hand: the last port of its block is the highest port. */
export const BLOCK_START_MAX = PORT_MAX - BLOCK_SIZE + 1;

/** The block that starts at a port. */
export function portBlock(start: number): PortBlock {
  return { start, end: start + BLOCK_SIZE - 1, mcp: start, sshd: start + 22, api: start + 33 };
}

/**
 * Start of the lowest free block, for a new environment.
 *
 * @param taken starts of the other environments' blocks, also of those set by hand that lie across two
 * @returns undefined if no block is left
 */
export function lowestFreeBlock(taken: readonly number[]): number | undefined {
  for (let start = BLOCK_START_DEFAULT; start <= BLOCK_START_LAST; start += BLOCK_SIZE) {
    if (!taken.some((other) => overlap(start, other))) return start;
  }
  return undefined;
}

/** An environment and the start of its block. */
export interface PlacedEnvironment extends EnvironmentName {
  localPortRangeStart: number;
}

/** Two environments whose blocks share a port. */
export interface Overlap {
  /** Each as `<tenant>-<env>`. */
  environments: [string, string];
  /** Starts of their blocks. */
  starts: [number, number];
}

/** Every pair of environments whose blocks overlap, the lower start first. Rule H5. */
export function overlappingBlocks(environments: readonly PlacedEnvironment[]): Overlap[] {
  const sorted = [...environments].sort((one, other) => one.localPortRangeStart - other.localPortRangeStart);
  return sorted.flatMap((one, at) =>
    sorted
      .slice(at + 1)
      .filter((other) => overlap(one.localPortRangeStart, other.localPortRangeStart))
      .map((other): Overlap => ({
        environments: [namespaceOf(one), namespaceOf(other)],
        starts: [one.localPortRangeStart, other.localPortRangeStart],
      })),
  );
}

function overlap(one: number, other: number): boolean {
  return Math.abs(one - other) < BLOCK_SIZE;
}
