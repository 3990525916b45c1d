import { isLoopback } from '../config/service-address';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { Builder, BuilderCommand } from './builder';
import type { ImageIndex } from './image-tags';
import { hostOf, type Registry } from './registries';
import { BuilderFailed, runBuilder, type Workbench } from './run-builder';

/** The references to push, in this order. */
export interface Publication {
  /** References with their registry. */
  references: readonly string[];
  indexes: readonly ImageIndex[];
}

/** The commands of a push to one registry. */
export function publishCommands(builder: Builder, { references, indexes }: Publication): BuilderCommand[] {
  return [
    ...references.map((reference) => builder.push(reference, isPlain(reference))),
    ...indexes.flatMap(({ reference, of }) => builder.index(reference, of, isPlain(reference))),
  ];
}

/** The part of a publication that belongs to one registry. */
export function partFor({ registry }: Registry, { references, indexes }: Publication): Publication {
  const isIts = (reference: string) => reference.startsWith(`${registry}/`);
  return {
    references: references.filter(isIts),
    indexes: indexes.filter(({ reference }) => isIts(reference)),
  };
}

/** Pushes to one registry. @throws Failure REGISTRY_DENIED, CERTIFICATE_NOT_TRUSTED, REGISTRY_UNREACHABLE, PUSH_FAILED */
export async function publish(
  workbench: Workbench,
  commands: readonly BuilderCommand[],
  registry: Registry,
): Promise<void> {
  for (const command of commands) {
    try {
      // A push runs no code of the project, and the sign-in of a cloud's registry may be in the variables.
      await runBuilder(
        { ...workbench, passed: 'all' },
        { what: `The push to ${registry.registry}`, command },
      );
    } catch (error) {
      throw error instanceof BuilderFailed ? pushFailure(error, registry) : error;
    }
  }
}

/** Words with which registries and builders refuse. */
const DENIED = /denied|unauthori[sz]ed|authentication required|no basic auth|forbidden|\b40[13]\b/i;
const UNTRUSTED = /x509: certificate signed by unknown authority|x509: .* certificate is not trusted/;
const UNREACHABLE =
  /connection refused|no such host|i\/o timeout|connection reset|network is unreachable|server gave HTTP response|deadline exceeded|tls:|x509:/i;

function pushFailure({ said }: BuilderFailed, { registry, isPlatforms }: Registry): Failure {
  const details = { registry, said };
  const last = said.split('\n').at(-1) ?? '';
  if (DENIED.test(said)) {
    return new Failure('REGISTRY_DENIED', `${registry} takes no push: ${last}`, {
      details,
      next: isPlatforms ? 'plat cloud login' : nextStep('docker login', [hostOf(registry)]),
    });
  }
  if (UNTRUSTED.test(said)) {
    const message = `The builder does not trust the authority that signed the certificate of ${registry}: ${last}`;
    return new Failure('CERTIFICATE_NOT_TRUSTED', message, {
      details,
      next: "give the builder your organisation's authority (docs/private-authority.md), then repeat the command",
    });
  }
  if (UNREACHABLE.test(said)) {
    return new Failure('REGISTRY_UNREACHABLE', `${registry} cannot be reached: ${last}`, {
      details,
      next: 'check the address of the registry and the network',
    });
  }
  return new Failure('PUSH_FAILED', `The push to ${registry} failed: ${last}`, { details });
}

/** A registry on this machine may use plain http, as docker itself allows. */
function isPlain(reference: string): boolean {
  return isLoopback(hostOf(reference).replace(/:\d+$/, ''));
}
