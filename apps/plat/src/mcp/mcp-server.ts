import { callOf } from './call-events';
import { McpServer } from './mcp-library.js';
import type { Tool, ToolArguments } from './tool';
import { callTool, type ToolSession } from './tool-call';

/** Makes a server for one connection. */
export type NewMcpServer = () => McpServer;

/** Servers with the same tools. Tools that change the checkout take turns, over all servers. */
export function mcpServers(tools: readonly Tool[], session: ToolSession): NewMcpServer {
  const inTurn = takingTurns();
  return () => {
    const server = new McpServer({ name: 'plat', version: session.config.version });
    for (const tool of tools) {
      const { name, description, schema: inputSchema, readOnly } = tool;
      const config = { description, inputSchema, annotations: { readOnlyHint: readOnly } };
      server.registerTool(name, config, (given: ToolArguments, extra) => {
        const work = () => callTool(tool, given, { ...session, call: callOf(extra) });
        return tool.inTurn ? inTurn(work) : work();
      });
    }
    return server;
  };
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Starts each work after the one before has ended in any way. */
function takingTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
