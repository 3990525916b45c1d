import { BLOCK_START_DEFAULT } from '@plat/environments';
import { contractVariables } from '../config/contract-variables';
import { isLoopback } from '../config/service-address';
import { forgeUrlFlag } from '../forge/forge-flags';
import { PlatformCommand } from '../platform/platform-command';
import { Failure } from '../terminal/failure';
import { untilStopped } from '../terminal/interruption';
import { Flags } from '../terminal/oclif';
import { passedNames, passEnvFlag } from '../terminal/pass-env';
import { prose } from '../terminal/prose';

const OF_HTTP = ['host', 'port', 'allow-host', 'token-file', 'show-client-config'];

type McpModule = typeof import('../mcp/index.js');

interface HttpFlags {
  alias?: string;
  host?: string;
  port?: number;
  'allow-host'?: string[];
  'token-file'?: string;
  'show-client-config': boolean;
}

export class Mcp extends PlatformCommand {
  static override summary = 'Serve the review, gate and exec commands as tools for agents (MCP)';
  static override description =
    prose(`Streamable HTTP on /mcp, on this machine only unless --host says otherwise; or --stdio, for an agent that
starts the client itself. The tools work in the checkout in which the server was started, and as the signed-in person.
So a caller over HTTP has to send a bearer token: the one in the file that the server names when it starts, which only
you may read, or a token of the platform that was issued to the same person.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --show-client-config',
    '<%= config.bin %> <%= command.id %> --stdio --alias work',
    '<%= config.bin %> <%= command.id %> --host 0.0.0.0 --allow-host mcp.acme-dev.services.example.com',
  ];
  static override flags = {
    stdio: Flags.boolean({
      description: 'Serve on stdin and stdout, without a token',
      exclusive: OF_HTTP,
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
    'token-file': Flags.string({
      description:
        'File with the token that callers send (default: ~/.plat/mcp.token, made if it is missing)',
      helpValue: '<path>',
    }),
    'pass-env': passEnvFlag,
    'forge-url': forgeUrlFlag,
    'show-client-config': Flags.boolean({
      description: "Print a configuration for an agent's client, with the token; on a terminal only",
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Mcp);
    const { commands } = this.host;
    if (flags['show-client-config'] && !this.terminal.interactive) throw needsTerminal();
    const port = flags.stdio ? 0 : (flags.port ?? this.defaultPort());
    // Loaded only here, because evaluating the protocol's library takes longer than most commands.
    const mcp = await import('../mcp/index.js');
    const newServer = mcp.mcpServers(await mcp.loadTools(commands), {
      config: this.config,
      alias: flags.alias,
      commands,
      passed: passedNames(this.host, flags),
      forgeUrl: flags['forge-url'],
    });
    if (flags.stdio) return mcp.serveStdio(newServer);
    await this.serve(mcp, newServer, { ...flags, port });
  }

  private async serve(
    mcp: McpModule,
    newServer: ReturnType<McpModule['mcpServers']>,
    flags: HttpFlags & { port: number },
  ): Promise<void> {
    const { configFolder, stateFolder } = this.environment;
    const tokenFile = flags['token-file'] ?? (await mcp.ownTokenFile(stateFolder));
    // A token that cannot be read must not be found out by the first caller.
    const token = await mcp.readToken(tokenFile);
    const operators = new mcp.OperatorTokens({ configFolder, aliasName: flags.alias });
    const server = await mcp.serveHttp(
      {
        host: flags.host ?? '127.0.0.1',
        port: flags.port,
        allowedHosts: flags['allow-host'] ?? [],
        tokens: { tokenFile, judge: (given) => operators.judge(given) },
      },
      newServer,
    );
    this.terminal.note(`Serving tools on ${server.url}`);
    this.terminal.note(
      `Callers send the bearer token in ${tokenFile}: whoever has it acts as the signed-in person.`,
    );
    if (!isLoopback(new URL(server.url).hostname)) {
      this.terminal.note(
        'This is HTTP without encryption: put TLS in front of it where others can read along.',
      );
    }
    if (flags['show-client-config']) this.terminal.json(mcp.clientConfig(server.url, token));
    await untilStopped();
    await server.close();
  }

  /** @throws Failure INVALID_VARIABLES instead of serving on another port than the intended one */
  private defaultPort(): number {
    return contractVariables(this.environment, ['PLAT_MCP_PORT']).PLAT_MCP_PORT ?? BLOCK_START_DEFAULT;
  }
}

function needsTerminal(): Failure {
  return new Failure(
    'NO_TERMINAL',
    'The configuration holds the token, so it is printed on a terminal only, where no log keeps it.',
    { next: 'plat mcp --show-client-config, on a terminal' },
  );
}
