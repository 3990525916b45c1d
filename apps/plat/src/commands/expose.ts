import { type ExposureResult, SERVICE_PORT_DEFAULT } from '@plat/environments';
import { expose, type PlannedExposure, plannedExposure } from '../exposure/expose';
import { exposedArgs, exposureFlags, tlsFlags } from '../exposure/exposure-flags';
import { type PreparedExposure, prepareExposure } from '../exposure/prepare-exposure';
import { UNCONFIGURED } from '../exposure/project-platform';
import { readyWarning } from '../exposure/ready-check';
import { interruptedPlatform } from '../platform/platform';
import { PlatformCommand } from '../platform/platform-command';
import { Args, Flags } from '../terminal/oclif';
import { wantsJson } from '../terminal/output-mode';
import { prose } from '../terminal/prose';

export class Expose extends PlatformCommand {
  static override summary = 'Give a service of an environment a public name';
  static override description =
    prose(`Points *.<tenant>-<env>.<services zone> at the environment's ingress, by the platform's API where an alias is
configured and otherwise in the platform's DNS deployment with kubectl; then applies an ingress for the service. Everything
is checked before the first write. The name is https if something fills its certificate: the three flags of the DNS-01
broker, or the edge of the platform's own environment. Run it again after any failure, and after each change.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> acme dev mcp --ip 192.0.2.10',
    '<%= config.bin %> <%= command.id %> acme dev web --ip 192.0.2.10 --dns01-token-file ./token --dns01-broker-url https://broker.example.com --acme-email ops@example.com',
    '<%= config.bin %> <%= command.id %> acme dev web --ip 192.0.2.10 --dry-run',
  ];
  static override args = {
    ...exposedArgs,
    service: Args.string({
      description: 'The service, without the tenant: mcp for <tenant>-mcp',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    ip: Flags.string({
      description: "IPv4 address of the environment's ingress (required)",
      helpValue: '<ipv4>',
    }),
    port: Flags.string({
      description: 'Port of the service',
      default: String(SERVICE_PORT_DEFAULT),
      helpValue: '<port>',
    }),
    ...tlsFlags,
    ...exposureFlags,
    'ingress-class': Flags.string({
      description: 'Class of the ingress, in place of the configured one (default traefik)',
      helpValue: '<class>',
    }),
    'no-wait': Flags.boolean({ description: 'Do not look whether the name resolves and answers' }),
  };

  override async run(): Promise<void> {
    await this.host.interruptible(async (interrupted) => {
      const { terminal, progress } = this;
      const { prepared, isDryRun, waits } = await this.prepare(interrupted);
      if (prepared === undefined) return this.showNothing();
      for (const note of notesOf(prepared)) terminal.note(note);
      if (isDryRun) return this.show(plannedExposure(prepared), plannedText);
      const { plan } = prepared;
      const result = await expose(prepared, { progress, interrupted });
      const warning = waits
        ? await progress('Waiting until the public name answers', readyWarning({ ...plan, interrupted }))
        : undefined;
      if (warning !== undefined) terminal.note(warning);
      this.show<ExposureResult>(result, () => plan.url);
    });
  }

  private async prepare(interrupted: AbortSignal) {
    const { args, flags } = await this.parse(Expose);
    const prepared = await prepareExposure({
      environment: this.environment,
      folder: process.cwd(),
      name: { tenant: args.tenant, environment: args.environment },
      service: args.service,
      ip: flags.ip,
      port: flags.port,
      noTls: flags['no-tls'] ?? false,
      dns01: {
        tokenFile: flags['dns01-token-file'],
        brokerUrl: flags['dns01-broker-url'],
        acmeEmail: flags['acme-email'],
        acmeServer: flags['acme-server'],
        webhookGroupName: flags['dns01-webhook-group-name'],
      },
      overrides: {
        servicesZone: flags['services-zone'],
        platformNamespace: flags['platform-namespace'],
        ingressClass: flags['ingress-class'],
      },
      skipIfUnconfigured: flags['skip-if-unconfigured'] ?? false,
      aliasName: flags.alias,
      openPlatform: async (alias) => interruptedPlatform(await this.platform({ alias }), interrupted),
      isDryRun: flags['dry-run'] ?? false,
      interrupted,
    });
    return { prepared, isDryRun: flags['dry-run'] ?? false, waits: !flags['no-wait'] };
  }

  /** Nothing is exposed, so that stdout has no URL. */
  private showNothing(): void {
    if (wantsJson(this.argv)) this.terminal.json({ skipped: true, reason: UNCONFIGURED });
    else this.terminal.note(`Nothing is exposed: ${UNCONFIGURED}.`);
  }
}

/** Lists what a person should know in addition to the URL. */
function notesOf({ plan, warnings }: PreparedExposure): string[] {
  const { tls } = plan;
  if (tls.tlsEnabled || tls.tlsDisabledReason === '--no-tls') return warnings;
  return [...warnings, `The public name is plain http: ${tls.tlsDisabledReason}.`];
}

function plannedText(planned: PlannedExposure): string {
  return [
    ...planned.plan,
    `hostname: ${planned.hostname}`,
    `wildcard: ${planned.wildcardName}`,
    `platform namespace: ${planned.platformNamespace}`,
    `DNS path: ${planned.dnsPath}, because ${planned.dnsPathReason}`,
  ].join('\n');
}
