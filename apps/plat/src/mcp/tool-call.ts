import type { Config } from '@oclif/core';
import { reportFailure } from '../failures/report-failure';
import { runFitting } from '../failures/run-fitting';
import type { CommandHost, CommandTable } from '../terminal/command-host';
import { printableJson, printableText, spelledJson } from '../terminal/printable';
import { passOutput } from '../terminal/program-output';
import { style } from '../terminal/style';
import type { Terminal } from '../terminal/terminal';
import type { ToolCall } from './call-events';
import type { CallToolResult } from './mcp-library.js';
import type { Tool, ToolArguments } from './tool';
import { structured } from './tool-outputs';
import type { ToolWords } from './tool-words';

/** A terminal whose output is dropped. */
const SILENT = { interactive: false, style: style(false), clear: () => undefined };

/** The settings of all calls of a server. */
export interface ToolSession {
  config: Config;
  /** The server's platform alias; undefined: the only one. */
  alias?: string;
  commands: CommandTable;
  /** Names of the variables with secrets that gates, builds and jobs get. */
  passed: readonly string[];
  /** Base address of the forge's API, which gets the forge's token. */
  forgeUrl?: string | undefined;
}

/** A session during one call. */
export interface ToolRun extends ToolSession {
  call: ToolCall;
  words: ToolWords;
}

/**
 * Runs the tool's command in this process, separate from the process's own streams and exit code. The result is the
 * value that `--json` prints, with hints for agents; a failure is its object with code and message, and an error of the
 * tool.
 */
export async function callTool(tool: Tool, given: ToolArguments, run: ToolRun): Promise<CallToolResult> {
  const { config, alias, commands, passed, forgeUrl, call, words } = run;
  const { cancelled, progress } = call;
  const outcome = { value: undefined as unknown, isError: false };
  const terminal: Terminal = {
    ...SILENT,
    json: (value) => (outcome.value = value),
    result: (value) => (outcome.value = value),
    output: passOutput(process.stderr),
    note: (line) => call.send(printableText(words.text(line, tool))),
  };
  const host: CommandHost = {
    terminal,
    progress,
    readInput: () => Promise.resolve(tool.piped(given) ?? ''),
    interruptible: async (work) => {
      cancelled.throwIfAborted();
      return work(cancelled);
    },
    fail: () => (outcome.isError = true),
    passed,
    forgeUrl,
    agent: true,
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
  return toResult(tool, words.value(outcome.value, tool), outcome.isError);
}

function toResult({ output }: Tool, value: unknown, isError: boolean): CallToolResult {
  // A server may repeat a token that was sent to it. An agent reads characters that no person sees in a review.
  const text = printableJson(value);
  const content = structured(JSON.parse(spelledJson(value)));
  // Clients check the content of an error against the schema of the result as well, and a failure has other fields.
  const isAsListed = !isError || output === undefined || output.safeParse(content).success;
  return {
    content: [{ type: 'text', text }],
    structuredContent: isAsListed ? content : undefined,
    isError,
  };
}
