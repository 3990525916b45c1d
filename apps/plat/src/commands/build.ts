import { buildFlags, readBuildFlags } from '../build/build-flags';
import { type BuildPlan, planBuild } from '../build/build-plan';
import { buildView } from '../build/build-view';
import { findConfiguredGate, gatedView, runConfiguredGate } from '../build/configured-gate-build';
import { runNotedBuild } from '../build/noted-builds';
import { planStart, startBuild } from '../build/start-build';
import { readBuildVariables } from '../config/build-variables';
import { readGateTime, runWithin } from '../gate/gate-time';
import { gitIn } from '../git/git';
import { PlatformCommand } from '../platform/platform-command';
import { passedNames } from '../terminal/pass-env';
import { printableLine } from '../terminal/printable';
import { prose } from '../terminal/prose';

/** Seconds for the report, which is best effort: a platform that does not answer must not delay the build for long. */
const REPORT_SECONDS_MAX = 20;

export class Build extends PlatformCommand {
  static override summary = 'Mint a version, build the project and publish its images';
  static override description =
    prose(`Builds the project at the root of the checkout: with an executable build.sh, which gets PLAT_BUILD_VERSION and
other variables (unless PLAT_DISABLE_BUILD_SCRIPT is set), otherwise each image from its Dockerfile: Dockerfile, whose
image has the project's name, and docker/PART/Dockerfile, whose image is named PROJECT-PART. The version is that of the
file VERSION followed by -snapshot- and the UTC time; with --release it is that of the file itself.

The images are pushed to the environment's registries with role build (PLAT_CONTAINER_REGISTRIES, or containerRegistries
of the configuration); without any they are tagged on this machine. For several platforms each has a tag of its own, and
the registry an index of them. The platform's registry (platform.registry of the configuration) takes the operator's token,
which build.sh gets with --sign-in-script alone.

A build whose whole stage "test" came from the cache is refused; with --gate that stage of every image always runs, and the
result names what ran. A gate is refused if the stages of a Dockerfile cannot be read. If .plat/config.yaml on the target branch
names a command in its block gate, --gate runs that command instead, and builds nothing. A platform alias is
not required; if there is one, the outcome is reported to it, which does not change the outcome.`);
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
    const variables = readBuildVariables(environment);
    const asked = { ...readBuildFlags(flags), fileInside: this.host.agent };
    const folder = process.cwd();
    const output = (chunk: Buffer) => this.terminal.output(chunk);
    const note = (line: string) => this.terminal.note(printableLine(line));
    const passed = passedNames(this.host, flags);
    const gateTime = readGateTime(flags['gate-timeout']);
    const named = asked.gate && asked.file === undefined;
    const configured = named ? await findConfiguredGate(folder, variables.repositoryFolder) : undefined;
    if (configured) {
      if (flags['dry-run']) return this.showPlan([configured.command]);
      const gated = await this.host.interruptible((stopped) =>
        runWithin(gateTime, stopped, (interrupted) =>
          runConfiguredGate(configured, { passed, interrupted, output, note }),
        ),
      );
      return this.show(gated, gatedView);
    }
    const plan = await planBuild({ ...asked, folder, environment, variables, now: new Date() });
    noteOutside(plan, note);
    const platform = flags['no-report'] ? undefined : () => this.platform(flags, REPORT_SECONDS_MAX);
    if (flags['dry-run']) return this.showPlan(await planStart(plan, platform));
    const { commitId, folder: top } = plan.project;
    const git = commitId === undefined ? undefined : gitIn(top);
    const result = await this.host.interruptible((interrupted) =>
      runNotedBuild(git, () =>
        startBuild({
          plan,
          environment,
          variables,
          passed,
          signInScript: flags['sign-in-script'],
          aliasName: flags.alias,
          platform,
          gateTime,
          interrupted,
          output,
          note,
          trace: flags.debug ? note : undefined,
        }),
      ),
    );
    this.show(result, buildView);
  }
}

/** Says of a Dockerfile outside the project that it is there: what it builds is in no commit of the project. */
function noteOutside({ images }: BuildPlan, note: (line: string) => void): void {
  for (const { recipe } of images) {
    if (recipe.outside) note(`${recipe.dockerfile} is outside the project.`);
  }
}
