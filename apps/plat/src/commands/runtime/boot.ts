import { boot } from '../../runtime/boot';
import { Flags } from '../../terminal/oclif';
import { passedNames, passEnvFlag } from '../../terminal/pass-env';
import { PlatCommand } from '../../terminal/plat-command';
import { prose } from '../../terminal/prose';

const SESSION_MOUNT = '/run/plat/session';
const GIT_MOUNT = '/run/plat/git';
const MCP_TOKEN_MOUNT = '/run/plat/mcp/token';

export class RuntimeBoot extends PlatCommand {
  static override summary = 'Start a runtime pod: its first process';
  static override description =
    prose(`Writes the pod's configuration from its variables, takes over the mounted session, has git use the mounted
settings and credential, clones PLAT_REPO_URL into an empty PLAT_REPO_PATH, then runs the MCP server, the SSH server and the idle watch until SIGTERM. What is there
already stays as it is. Refused outside of a pod.`);
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override flags = {
    session: Flags.string({
      description: `Folder where the environment's session is mounted (default: ${SESSION_MOUNT})`,
      helpValue: '<folder>',
    }),
    git: Flags.string({
      description: `Folder where git's settings and credential are mounted (default: ${GIT_MOUNT})`,
      helpValue: '<folder>',
    }),
    'pass-env': passEnvFlag,
    'mcp-token': Flags.string({
      description: `File in which the MCP server's token is mounted (default: ${MCP_TOKEN_MOUNT})`,
      helpValue: '<path>',
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(RuntimeBoot);
    await this.host.interruptible((interrupted) =>
      boot({
        environment: this.environment,
        sessionMount: flags.session ?? SESSION_MOUNT,
        gitMount: flags.git ?? GIT_MOUNT,
        mcpTokenMount: flags['mcp-token'] ?? MCP_TOKEN_MOUNT,
        passed: passedNames(this.host, flags),
        client: [process.execPath, process.argv[1] ?? ''],
        interrupted,
        note: (line) => this.terminal.note(line),
      }),
    );
  }
}
