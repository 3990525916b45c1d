import { CLIENT_VARIABLES, ORCHESTRATOR_VARIABLES } from './other-variables';
import type { PodVariable, Variable } from './variable';
import { POD_VARIABLES } from './variables';

/** `docs/variables.md`: the contract's three tables, written from those by which the code reads and sets variables. */
export function renderVariables(): string {
  const parts = [
    '# Variables',
    'Written by `npm run generate` from `libs/environments`; edit the tables there. The rules are in ' +
      '[contract/client-variables.md](contract/client-variables.md); what a pod gets comes from the ' +
      "environment's configuration, [environment-config.md](environment-config.md).",
    'An empty variable counts as unset, except for LLM_API_KEY. A program that reads a wrong one refuses it; the message names ' +
      'every wrong one that a command reads. The commands of `plat` read those that name `plat` in the column Read by. ' +
      'The chart `deploy/charts/runtime` sets the variables of a pod. ' +
      'Any other variable is ignored, except for the standard ones of other tools.',
    '## In a runtime pod',
    table(
      ['Variable', 'Type', 'Default', 'Set', 'From', 'Read by', 'Purpose'],
      Object.entries(POD_VARIABLES).map(([name, row]: [string, PodVariable]) => [
        `\`${name}\``,
        row.type.words,
        defaultOf(row),
        row.set,
        row.from.map((path) => `\`${path}\``).join(', ') || 'the deploy itself',
        row.readBy.join(', '),
        row.purpose,
      ]),
    ),
    "## In an orchestrator's session",
    otherTable(ORCHESTRATOR_VARIABLES),
    '## Read by the client',
    otherTable(CLIENT_VARIABLES),
  ];
  return `${parts.join('\n\n')}\n`;
}

function otherTable(rows: Readonly<Record<string, Variable>>): string {
  return table(
    ['Variable', 'Type', 'Default', 'Set', 'Read by', 'Purpose'],
    Object.entries(rows).map(([name, row]) => [
      `\`${name}\``,
      row.type.words,
      defaultOf(row),
      row.set,
      row.readBy.join(', '),
      row.purpose,
    ]),
  );
}

/** In a document the name of a placeholder would count as a tag. */
function defaultOf({ default: text }: Variable): string {
  return text.includes('<') ? `\`${text}\`` : text;
}

function table(columns: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}
