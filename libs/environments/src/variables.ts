import { AGENT_VARIABLES } from './agent-variables';
import { CLOUD_VARIABLES } from './cloud-variables';
import type { Fault } from './fault';
import { IDLE_VARIABLES } from './idle-variables';
import { CLIENT_VARIABLES, ORCHESTRATOR_VARIABLES } from './other-variables';
import { PLACE_VARIABLES } from './place-variables';
import type { Pod, PodVariable, SecretRef, Variable } from './variable';
import type { VariableType } from './variable-type';

/** Every variable of a runtime pod. Spec: Client, Variables set in a runtime pod. */
export const POD_VARIABLES = {
  ...PLACE_VARIABLES,
  ...IDLE_VARIABLES,
  ...CLOUD_VARIABLES,
  ...AGENT_VARIABLES,
};

/** The contract's three tables. PLAT_OUTPUTS_DIR is in two of them. */
export const VARIABLE_TABLES = {
  pod: POD_VARIABLES,
  orchestrator: ORCHESTRATOR_VARIABLES,
  client: CLIENT_VARIABLES,
} as const;

const VARIABLES = { ...ORCHESTRATOR_VARIABLES, ...POD_VARIABLES, ...CLIENT_VARIABLES };
export type VariableName = keyof typeof VARIABLES;
/** The type of the value that a variable's text is read as. */
export type VariableValue<N extends VariableName> =
  (typeof VARIABLES)[N]['type'] extends VariableType<infer T> ? T : never;
export type VariableValues<N extends VariableName> = { [name in N]?: VariableValue<name> };

/** The variables that the client's commands read. */
export const READ_BY_CLIENT = (Object.keys(VARIABLES) as VariableName[]).filter((name) =>
  (VARIABLES[name] as Variable).readBy.includes('plat'),
);

/** The variables of a process, as texts. */
export type Texts = Readonly<Record<string, string | undefined>>;

/**
 * Reads variables by their types. An unset one and an empty one have no value. Rule H14.
 *
 * @returns the values of the right ones, and a fault for each wrong one
 */
export function readVariables<N extends VariableName>(
  texts: Texts,
  names: readonly N[],
): { values: VariableValues<N>; faults: Fault[] } {
  const values: VariableValues<N> = {};
  const faults: Fault[] = [];
  for (const name of names) {
    const text = texts[name];
    if (text === undefined || text === '') continue;
    const { type }: Variable = VARIABLES[name];
    const value = type.read(text);
    if (value === undefined) {
      faults.push({ field: name, value: type.isSecret === true ? undefined : text, why: type.fault });
    } else {
      values[name] = value as VariableValue<N>;
    }
  }
  return { values, faults };
}

/** A variable of a pod, with its value or with the secret that holds it. */
export interface SetVariable {
  name: keyof typeof POD_VARIABLES;
  value: string | SecretRef;
}

/** The variables of a pod in the order of the table. One that resolves to nothing is left out. Rule G13. */
export function podVariables(pod: Pod): SetVariable[] {
  const rows = Object.entries(POD_VARIABLES) as Array<[SetVariable['name'], PodVariable]>;
  return rows.flatMap(([name, row]) => {
    const value = row.value(pod);
    return value === undefined ? [] : [{ name, value }];
  });
}
