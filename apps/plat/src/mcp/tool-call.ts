import type { Config } from '@oclif/core';
import { reportFailure } from '../session/report-failure';
import { runFitting } from '../session/run-fitting';
import type { CommandHost, CommandTable } from '../terminal/command-host';
import { style } from '../terminal/style';
import type { Terminal } from '../terminal/terminal';
import { sentProgress, type ToolCall } from './call-events';
import type { CallToolResult } from './mcp-library.js';
import type { Tool, ToolArguments } from './tool';

/** A terminal whose output is dropped. */
const SILENT = { interactive: false, style: style(false), clear: () => undefined };

/** The settings of all calls of a server. */
export interface ToolSession {
  config: Config;
  /** The server's platform alias; undefined: the only one. */
  alias?: string;
  commands: CommandTable;
}

/** A session during one call. */
export interface ToolRun extends ToolSession {
  call: ToolCall;
}

/**
 * Runs the tool's command in this process, separate from the process's own streams and exit code. The result is the
 * value that `--json` prints; a failure is its object with code and message, and an error of the tool.
 */
export async function callTool(
  tool: Tool,
  given: ToolArguments,
  { config, alias, commands, call }: ToolRun,
): Promise<CallToolResult> {
  const { cancelled, send } = call;
  const outcome = { value: undefined as unknown, isError: false };
  const terminal: Terminal = {
    ...SILENT,
    json: (value) => (outcome.value = value),
    result: (value) => (outcome.value = value),
    note: send,
  };
  const host: CommandHost = {
    terminal,
    progress: sentProgress(send),
    readInput: async () => {
      const text = tool.piped(given);
      return text === undefined ? 'none' : { text };
    },
    interruptible: async (work) => {
      cancelled.throwIfAborted();
      return work(cancelled);
    },
    fail: () => (outcome.isError = true),
    apiHeaders: { 'X-Plat-Mcp-Tool': tool.name },
    commands,
  };
  const takesAlias = alias !== undefined && 'alias' in (tool.command.baseFlags ?? {});
  const command = new tool.command(
    [...(takesAlias ? [`--alias=${alias}`] : []), ...tool.argv(given)],
    config,
  );
  command.host = host;
  try {
    await runFitting(command, tool.command);
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
    structuredContent: isRecord ? (value as Record<string, unknown>) : undefined,
    isError,
  };
}
