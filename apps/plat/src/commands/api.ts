import type { ApiCall } from '@plat/api-client';
import { PlatformCommand } from '../platform/platform-command';
import { apiPath, jsonBody, METHODS, rawCall } from '../platform/raw-call';
import { Args, Flags } from '../terminal/oclif';

export class Api extends PlatformCommand {
  static override summary = "Call any route of the platform's API as the signed-in person";
  static override description =
    "The answer's body is printed as JSON. A refusal fails the command with the API's own code.";
  static override examples = [
    '<%= config.bin %> <%= command.id %> GET /v1/releases',
    '<%= config.bin %> <%= command.id %> GET "/v1/audit-events?limit=20" --json',
    `<%= config.bin %> <%= command.id %> POST /v1/releases --body '{"targetBranch":"main","commitId":"…"}'`,
    '<%= config.bin %> <%= command.id %> POST /v1/reviews --body - < review.json',
  ];
  static override args = {
    method: Args.custom<ApiCall['method']>({ options: [...METHODS] })({
      description: 'HTTP method',
      required: true,
      ignoreStdin: true,
    }),
    path: Args.string({ description: 'Path and query, from /v1 on', required: true, ignoreStdin: true }),
  };
  static override flags = {
    body: Flags.string({ description: 'JSON body; - reads it from stdin', helpValue: '<json>' }),
    'dry-run': Flags.boolean({ description: 'Print the call, make none' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(Api);
    const { alias, api } = await this.platform(flags);
    const path = apiPath(args.path);
    const body = flags.body === undefined ? undefined : jsonBody(await this.bodyText(flags.body));
    if (flags['dry-run']) return this.showPlan([`platform: ${args.method} ${alias.apiUrl}${path}`]);
    const answer = rawCall(api, { method: args.method, path, body });
    this.show(await this.progress('Calling the platform', answer), (value) =>
      value === null ? '' : JSON.stringify(value, null, 2),
    );
  }

  private async bodyText(flag: string): Promise<string> {
    if (flag !== '-') return flag;
    return this.host.readInput();
  }
}
