import type { Config } from '@oclif/core';
import { reportFailure } from '../start/report-failure';
import type { CommandHost } from '../terminal/command-host';
import { style } from '../terminal/style';
import type { Terminal } from '../terminal/terminal';
import type { CallToolResult } from './mcp-library.js';
import type { Tool, ToolArguments } from './tool';

/** What every call of a server has in common. */
export interface ToolSession {
  config: Config;
  /** The platform alias that the server acts with; undefined: the only one. */
  alias?: string;
}

/**
 * Runs the tool's command in this process, apart from the process's own streams and exit code. The result is the
 * value that `--json` prints; a failure is its object with code and message, and an error of the tool.
 */
export async function callTool(
  tool: Tool,
  given: ToolArguments,
  { config, alias }: ToolSession,
): Promise<CallToolResult> {
  const outcome = { value: undefined as unknown, isError: false };
  const terminal = resultKeeper((value) => (outcome.value = value));
  const host: CommandHost = {
    terminal,
    readInput: async () => {
      const text = tool.piped(given);
      return text === undefined ? 'none' : { text };
    },
    fail: () => (outcome.isError = true),
    apiHeaders: { 'X-Plat-Mcp-Tool': tool.name },
  };
  const takesAlias = alias !== undefined && 'alias' in (tool.command.baseFlags ?? {});
  const command = new tool.command(
    [...(takesAlias ? [`--alias=${alias}`] : []), ...tool.argv(given)],
    config,
  );
  command.host = host;
  try {
    await command.run();
  } catch (error) {
    reportFailure(error, true, terminal);
    outcome.isError = true;
  }
  return toResult(outcome);
}

function toResult({ value, isError }: { value: unknown; isError: boolean }): CallToolResult {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return {
    content: [{ type: 'text', text: JSON.stringify(value ?? null) }],
    ...(isRecord && { structuredContent: value as Record<string, unknown> }),
    isError,
  };
}

/** A terminal that nobody sees: it keeps the one value that a command prints with `--json`. */
function resultKeeper(keep: (value: unknown) => void): Terminal {
  return { interactive: false, style: style(false), result: keep, json: keep, note: () => undefined };
}
