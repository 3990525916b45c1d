import {
  type ForwardRecord,
  type ForwardTarget,
  holdersOfPort,
  isForwardTo,
  type PortHolder,
  readProcess,
  type RunningProcess,
} from '@plat/forwards';

/** The owner of a forward's local port. */
export interface PortOwner {
  /** The holders of the port; empty if the port is free. */
  holders: readonly PortHolder[];
  /**
   * The port-forward with the same ends that has the port: one of the holders or, if one of these cannot be seen, the
   * recorded process. Undefined: the port is free, or another process's.
   */
  forward: RunningProcess | undefined;
}

/** Determines whose the local port of a record is. Changes nothing. Rule H9. */
export async function portOwner(
  { localPort, processId }: Pick<ForwardRecord, 'localPort' | 'processId'>,
  target: ForwardTarget,
): Promise<PortOwner> {
  const holders = await holdersOfPort(localPort, processId);
  const processes = holders.map(({ process }) => process);
  const isHidden = processes.includes(undefined);
  const recorded = isHidden && processId !== undefined ? await readProcess(processId) : undefined;
  const forward = [...processes, recorded].find((one) => one !== undefined && isForwardTo(one, target));
  return { holders, forward };
}
