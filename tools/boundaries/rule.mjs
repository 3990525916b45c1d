/** Packages that make a program a server, or a client. */
const SERVER_PACKAGES = [
  '@nestjs/*',
  'typeorm',
  'pg',
  'fastify',
  'class-validator',
  'class-transformer',
  'passport*',
];
const CLIENT_PACKAGES = ['@oclif/*', 'axios'];
const SERVICES = ['@plat/reviews', '@plat/builds', '@plat/releases', '@plat/audit', '@plat/platform'];
/** The part of the client that the tests of the whole product run in their own process. */
const CLIENT = ['@plat/plat/sealed-log'];

/**
 * Who may import whom, by the tags in the project.json files: options of `@nx/enforce-module-boundaries`.
 *
 * - contracts import nothing but the base contracts; kits import contracts and kits; apps import kits and contracts,
 *   never an app, save that `standalone` composes the services, and the tests of the whole product run these and the
 *   client's sealed log;
 * - server and client never mix; what both share imports neither;
 * - pure projects import no package at all;
 * - specs import `testing`, and packages as they need them; besides specs only tools import `testing`.
 *
 * @param {{isSpec?: boolean, composesServices?: boolean, runsClient?: boolean}} [place]
 */
export function boundaries({ isSpec = false, composesServices = false, runsClient = false } = {}) {
  const test = isSpec ? ['layer:test'] : [];
  const mayImport = (sourceTag, tags, bannedExternalImports = []) => {
    const constraint = { sourceTag, onlyDependOnLibsWithTags: [...tags, ...test] };
    return isSpec || bannedExternalImports.length === 0
      ? constraint
      : { ...constraint, bannedExternalImports };
  };
  return {
    // nx never lets an app be imported, whatever its tags say.
    allow: [...(composesServices ? SERVICES : []), ...(runsClient ? CLIENT : [])],
    banTransitiveDependencies: false,
    // A spec of what `testing` uses imports `testing`: it is in no bundle, so it closes no circle.
    ignoredCircularDependencies: isSpec ? [['testing', '!testing']] : [],
    depConstraints: [
      mayImport('layer:contract', ['contract:base']),
      mayImport('layer:kit', ['layer:contract', 'layer:kit']),
      mayImport('layer:app', ['layer:contract', 'layer:kit']),
      mayImport('layer:test', ['layer:contract', 'layer:kit', 'layer:test']),
      mayImport('layer:tool', ['*']),
      mayImport('side:server', ['side:server', 'side:shared'], CLIENT_PACKAGES),
      mayImport('side:client', ['side:client', 'side:shared'], SERVER_PACKAGES),
      mayImport('side:shared', ['side:shared'], [...SERVER_PACKAGES, ...CLIENT_PACKAGES]),
      mayImport('pure', ['pure'], ['*']),
    ],
  };
}
