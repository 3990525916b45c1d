import { StdioServerTransport } from './mcp-library.js';
import type { NewMcpServer } from './mcp-server';

/** Serves MCP to the program that started this process, until that closes stdin. */
export async function serveStdio(newServer: NewMcpServer): Promise<void> {
  await newServer().connect(new StdioServerTransport());
}
