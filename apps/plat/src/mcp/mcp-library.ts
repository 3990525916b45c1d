import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';

/** The protocol's library and its schemas. It is a separate bundle, so that only `plat mcp` loads it. */
export { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
export { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
export { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
export type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
export type ToolExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;
export { z } from 'zod';
