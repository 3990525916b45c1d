/** The entry of an MCP server in the configuration of an agent's client. The form is common to most clients. */
export interface ClientConfig {
  mcpServers: Record<string, { type: 'http'; url: string; headers: { Authorization: string } }>;
}

/** A configuration that is ready to be used. It holds the token, so only the terminal of a person may show it. */
export function clientConfig(url: string, token: string): ClientConfig {
  const headers = { Authorization: `Bearer ${token}` };
  return { mcpServers: { plat: { type: 'http', url: reachable(url), headers } } };
}

/** A server that listens on every address is reached on this machine by loopback. */
function reachable(url: string): string {
  return url.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, 'http://127.0.0.1');
}
