import { McpServer } from './mcp-library.js';
import { callTool, type ToolSession } from './tool-call';
import type { Tool, ToolArguments } from './tool';

/** Makes a server for one connection or, over HTTP, for one request. */
export type NewMcpServer = () => McpServer;

/** Servers that all offer the same tools. Those that work in the checkout take turns, over all servers. */
export function mcpServers(tools: readonly Tool[], session: ToolSession): NewMcpServer {
  const inTurn = takingTurns();
  return () => {
    const server = new McpServer({ name: 'plat', version: session.config.version });
    for (const tool of tools) {
      const { name, description, schema: inputSchema, readOnly } = tool;
      const call = (given: ToolArguments) => callTool(tool, given, session);
      const config = { description, inputSchema, annotations: { readOnlyHint: readOnly } };
      server.registerTool(name, config, (given) =>
        name.startsWith('exec_') ? inTurn(() => call(given)) : call(given),
      );
    }
    return server;
  };
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Starts each work when the one before has ended, however it did. */
function takingTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
