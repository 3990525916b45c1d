import { BLOCK_START_DEFAULT } from '@plat/environments';
import { contractVariables } from '../config/contract-variables';
import { isLoopback } from '../config/service-address';
import { PlatformCommand } from '../session/platform-command';
import { untilStopped } from '../terminal/interruption';
import { Flags } from '../terminal/oclif';
import { prose } from '../terminal/prose';

export class Mcp extends PlatformCommand {
  static override summary = 'Serve the review, gate and exec commands as tools for agents (MCP)';
  static override description =
    prose(`Streamable HTTP on /mcp, on this machine only unless --host says otherwise; or --stdio, for an agent that
starts the client itself. The tools work in the checkout in which the server was started, and as the signed-in person:
anyone who can reach the server acts as that person.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --stdio --alias work',
    '<%= config.bin %> <%= command.id %> --host 0.0.0.0 --allow-host mcp.acme-dev.services.example.com',
  ];
  static override flags = {
    stdio: Flags.boolean({
      description: 'Serve on stdin and stdout',
      exclusive: ['host', 'port', 'allow-host'],
    }),
    host: Flags.string({ description: 'Address to listen on (default: 127.0.0.1)', helpValue: '<address>' }),
    port: Flags.integer({
      description: `Port to listen on; 0 takes a free one (default: PLAT_MCP_PORT, or ${BLOCK_START_DEFAULT})`,
      min: 0,
      max: 65_535,
      helpValue: '<number>',
    }),
    'allow-host': Flags.string({
      description: 'Host name that requests may use, besides those of this machine (repeatable)',
      multiple: true,
      helpValue: '<name>',
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Mcp);
    const { commands } = this.host;
    const { host = '127.0.0.1' } = flags;
    const port = flags.stdio ? 0 : (flags.port ?? this.defaultPort());
    // Loaded only here, because evaluating the protocol's library takes longer than most commands.
    const { loadTools, mcpServers, serveHttp, serveStdio } = await import('../mcp/index.js');
    const newServer = mcpServers(await loadTools(commands), {
      config: this.config,
      alias: flags.alias,
      commands,
    });
    if (flags.stdio) return serveStdio(newServer);
    const server = await serveHttp({ host, port, allowedHosts: flags['allow-host'] ?? [] }, newServer);
    this.terminal.note(`Serving tools on ${server.url}`);
    if (!isLoopback(new URL(server.url).hostname)) {
      this.terminal.note('Anyone who can reach this address acts as the signed-in person.');
    }
    await untilStopped();
    await server.close();
  }

  /** @throws Failure INVALID_VARIABLES instead of serving on another port than the intended one */
  private defaultPort(): number {
    return contractVariables(this.environment, ['PLAT_MCP_PORT']).PLAT_MCP_PORT ?? BLOCK_START_DEFAULT;
  }
}
