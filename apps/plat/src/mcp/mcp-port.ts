import { Failure } from '../terminal/failure';

/** Spec: Client, Limits, MCP port. */
const PORT_MIN = 1024;
const PORT_MAX = 65_535;

/**
 * The port of PLAT_MCP_PORT; undefined if the variable is not set.
 *
 * @throws Failure INVALID_PORT instead of serving on another port than the intended one
 */
export function mcpPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{4,5}$/.test(text) ? Number(text) : 0;
  if (port >= PORT_MIN && port <= PORT_MAX) return port;
  throw new Failure(
    'INVALID_PORT',
    `PLAT_MCP_PORT ${JSON.stringify(text)} is no port from ${PORT_MIN} to ${PORT_MAX}.`,
    {
      next: 'correct PLAT_MCP_PORT, or give --port <number>',
    },
  );
}
