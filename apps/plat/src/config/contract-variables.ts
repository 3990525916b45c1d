import {
  describeFault,
  READ_BY_CLIENT,
  readVariables,
  type VariableName,
  type VariableValues,
} from '@plat/environments';
import type { Environment } from '../environment';
import { Failure } from '../terminal/failure';
import { listOf, nextStep } from '../terminal/next-step';

/**
 * The values of variables that the contract names. An unset or empty one has none.
 *
 * @throws Failure INVALID_VARIABLES if one of them is wrong. The message names every wrong variable of the client, so
 * that they are corrected at once. Rule H14
 */
export function contractVariables<N extends VariableName>(
  { variables }: Environment,
  names: readonly N[],
): VariableValues<N> {
  const { values, faults } = readVariables(variables, names);
  if (faults.length === 0) return values;
  // Some variables are read by one command only, so that they are not among those of all commands.
  const all = readVariables(variables, [...new Set([...READ_BY_CLIENT, ...names])]).faults;
  const wrong = all.map(({ field }) => field);
  throw new Failure('INVALID_VARIABLES', `${all.map(describeFault).join('; ')}.`, {
    details: { variables: wrong },
    next: nextStep('correct or unset', listOf(wrong)),
  });
}
