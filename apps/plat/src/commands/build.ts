import { buildFlags, readBuildFlags } from '../build/build-flags';
import { planBuild } from '../build/build-plan';
import { buildView } from '../build/build-view';
import { plannedStart, startBuild } from '../build/start-build';
import { readBuildVariables } from '../config/build-variables';
import { PlatformCommand } from '../session/platform-command';
import { printableLine } from '../terminal/printable';
import { prose } from '../terminal/prose';

/** A report is best effort: a platform that does not answer holds nobody up for long. */
const REPORT_SECONDS_MAX = 20;

export class Build extends PlatformCommand {
  static override summary = 'Mint a version, build the project and publish its images';
  static override description =
    prose(`Built is what stands at the root of the checkout: by an executable build.sh, which is given PLAT_BUILD_VERSION
and the like (PLAT_DISABLE_BUILD_SCRIPT has it passed over), else each image by its Dockerfile: Dockerfile, whose image is
called like the project, and docker/PART/Dockerfile, called PROJECT-PART. The version is that of the file VERSION
with -snapshot- and the UTC time behind it, with --release that of the file itself.

The images are pushed to the environment's registries with role build (PLAT_CONTAINER_REGISTRIES, or containerRegistries
of the configuration); without any they are tagged on this machine. For several platforms each has a tag of its own, and
the registry an index of them. The platform's registry (platform.registry of the configuration) takes the operator's token.

A build whose whole stage "test" came from the cache is refused: with --gate that stage is always run. No platform alias
is needed; where there is one, the outcome is reported, which never changes it.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --gate --json',
    '<%= config.bin %> <%= command.id %> --release --platform linux/amd64 --platform linux/arm64 --tag latest',
    '<%= config.bin %> <%= command.id %> --dry-run',
  ];
  static override flags = buildFlags;

  override async run(): Promise<void> {
    const { flags } = await this.parse(Build);
    const { environment } = this;
    const variables = readBuildVariables();
    const asked = readBuildFlags(flags);
    const folder = process.cwd();
    const plan = await planBuild({ ...asked, folder, environment, variables, now: new Date() });
    const platform = flags['no-report'] ? undefined : () => this.platform(flags, REPORT_SECONDS_MAX);
    if (flags['dry-run']) return this.showPlan(await plannedStart(plan, platform));
    const result = await this.host.interruptible((interrupted) =>
      startBuild({
        plan,
        environment,
        variables,
        aliasName: flags.alias,
        platform,
        interrupted,
        output: (chunk) => void process.stderr.write(chunk),
        note: (line) => this.terminal.note(printableLine(line)),
        trace: flags.debug ? (line) => this.terminal.note(printableLine(line)) : undefined,
      }),
    );
    this.show(result, buildView);
  }
}
