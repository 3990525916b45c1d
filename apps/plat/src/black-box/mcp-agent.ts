import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { builtPlat, type Machine, PATH } from './plat-process';

/** The answer of a tool. */
export interface ToolAnswer {
  isError: boolean | undefined;
  /** The parsed result, or the text itself if the protocol refused the call. */
  value: unknown;
}

/** An agent on the SDK's own client. */
export interface Agent {
  client: Client;
  call(name: string, args?: Record<string, unknown>, options?: RequestOptions): Promise<ToolAnswer>;
}

/** Connects an agent. The caller closes its client. */
export async function connectAgent(transport: Transport): Promise<Agent> {
  const client = new Client({ name: 'spec', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    async call(name, args = {}, options = {}) {
      const result = (await client.callTool({ name, arguments: args }, undefined, options)) as CallToolResult;
      const [content] = result.content;
      const text = content?.type === 'text' ? content.text : '';
      const value: unknown = text.startsWith('MCP error') ? text : JSON.parse(text);
      return { isError: result.isError, value };
    },
  };
}

/** The token of the machine's own servers. */
export async function mcpToken(machine: Machine): Promise<string> {
  return (await readFile(join(machine.home, '.plat', 'mcp.token'), 'utf8')).trim();
}

/** An agent of a server that runs on the machine. */
export async function agentOverHttp(machine: Machine, url: string): Promise<Agent> {
  const headers = { authorization: `Bearer ${await mcpToken(machine)}` };
  return connectAgent(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
}

export interface StdioOptions {
  /** Default: the home. */
  cwd?: string;
  args?: readonly string[];
  env?: Record<string, string>;
}

/** An agent that starts the client itself. */
export async function agentOverStdio(machine: Machine, options: StdioOptions = {}): Promise<Agent> {
  const { cwd = machine.home, args = [], env } = options;
  return connectAgent(
    new StdioClientTransport({
      command: process.execPath,
      args: [await builtPlat(), 'mcp', '--stdio', ...args],
      env: { PATH, HOME: machine.home, ...env },
      cwd,
    }),
  );
}
