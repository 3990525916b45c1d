export { mcpServers } from './mcp-server';
export { serveHttp } from './serve-http';
export { serveStdio } from './serve-stdio';
export { loadTools } from './tool';
