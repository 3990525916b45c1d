import { followCall } from './call-events';
import { McpServer } from './mcp-library.js';
import { INSTRUCTIONS } from './server-instructions';
import type { Tool, ToolArguments } from './tool';
import { callTool, type ToolSession } from './tool-call';
import { ToolWords } from './tool-words';

/** Makes a server for one connection. */
export type NewMcpServer = () => McpServer;

/** Servers with the same tools. Tools that change the checkout take turns, over all servers. */
export function mcpServers(tools: readonly Tool[], session: ToolSession): NewMcpServer {
  const inTurn = takingTurns();
  const words = new ToolWords(tools, session.commands.ids);
  return () => {
    const server = new McpServer(
      { name: 'plat', version: session.config.version },
      { instructions: INSTRUCTIONS },
    );
    for (const tool of tools) {
      const { name, description, schema: inputSchema, output, annotations } = tool;
      const config = {
        title: annotations.title,
        description: words.text(description, tool),
        inputSchema: inputSchema(words),
        outputSchema: output,
        annotations,
      };
      const first = tool.inTurn ? 'Waiting until no other tool works in the checkout' : `Running ${name}`;
      server.registerTool(name, config, (given: ToolArguments, extra) =>
        followCall(extra, first, (call) => {
          const work = () => callTool(tool, given, { ...session, call, words });
          return tool.inTurn ? inTurn(work) : work();
        }),
      );
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
