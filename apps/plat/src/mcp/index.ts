export { clientConfig } from './client-config';
export { mcpServers } from './mcp-server';
export { OperatorTokens } from './operator-tokens';
export { serveHttp } from './serve-http';
export { serveStdio } from './serve-stdio';
export { ownTokenFile, readToken } from './token-file';
export { loadTools } from './tool';
