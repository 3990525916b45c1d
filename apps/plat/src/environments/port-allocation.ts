import {
  type EnvironmentName,
  lowestFreeBlock,
  namespaceOf,
  overlappingBlocks,
  type PlacedEnvironment,
  type PortBlock,
  portBlock,
} from '@plat/environments';
import { readConfigDocument } from '../config/config-document';
import { readConfiguredNames, scopedConfigPath } from '../config/config-scope';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/**
 * The block of an environment. Every command that needs ports gets them here.
 *
 * @throws Failure PORTS_OVERLAP, which names both environments (Rule H5); NO_PORTS; CONFIG_UNREADABLE
 */
export async function requirePorts(configFolder: string, name: EnvironmentName): Promise<PortBlock> {
  const placed = await listPlacedEnvironments(configFolder);
  requireNoOverlap(placed, name);
  const own = placed.find(({ tenant, environment }) => isSame(name, { tenant, environment }));
  if (own !== undefined) return portBlock(own.localPortRangeStart);
  throw new Failure('NO_PORTS', `${namespaceOf(name)} has no block of ports.`, {
    next: nextStep('plat init', [name.tenant], [name.environment]),
  });
}

/** @throws Failure PORTS_OVERLAP, which names both environments. Rule H5; CONFIG_UNREADABLE */
export async function requireOwnPorts(configFolder: string, name: EnvironmentName): Promise<void> {
  requireNoOverlap(await listPlacedEnvironments(configFolder), name);
}

/**
 * The block for an environment that has none: the lowest free one. Called under the lock of the configuration, which
 * keeps two environments from getting the same one. Rule H5.
 *
 * @throws Failure NO_PORT_BLOCK; CONFIG_UNREADABLE: a file that cannot be read may hold any block
 */
export async function freePorts(configFolder: string, name: EnvironmentName): Promise<number> {
  const others = (await listPlacedEnvironments(configFolder)).filter((other) => !isSame(other, name));
  const start = lowestFreeBlock(others.map(({ localPortRangeStart }) => localPortRangeStart));
  if (start !== undefined) return start;
  throw new Failure('NO_PORT_BLOCK', `All blocks of ports are taken by ${others.length} environments.`, {
    next: 'delete an environment that no one uses: plat list',
  });
}

/** The environments with a block. @throws Failure CONFIG_UNREADABLE */
async function listPlacedEnvironments(configFolder: string): Promise<PlacedEnvironment[]> {
  const { environments } = await readConfiguredNames(configFolder);
  const all = await Promise.all(
    environments.map(async (name) => {
      const { content } = await readConfigDocument(scopedConfigPath(configFolder, name));
      return { ...name, localPortRangeStart: content.localPortRangeStart };
    }),
  );
  return all.filter((one): one is PlacedEnvironment => Number.isInteger(one.localPortRangeStart));
}

function requireNoOverlap(placed: readonly PlacedEnvironment[], name: EnvironmentName): void {
  const own = namespaceOf(name);
  const overlap = overlappingBlocks(placed).find(({ environments }) => environments.includes(own));
  if (overlap === undefined) return;
  const [one, other] = overlap.environments;
  const [first, second] = overlap.starts;
  throw new Failure(
    'PORTS_OVERLAP',
    `The ports of ${one} (from ${first}) and ${other} (from ${second}) overlap.`,
    {
      details: { environments: overlap.environments, starts: overlap.starts },
      next: nextStep(
        'plat config unset localPortRangeStart --tenant',
        [name.tenant],
        '--environment',
        [name.environment],
        '; then: plat init',
        [name.tenant],
        [name.environment],
      ),
    },
  );
}

function isSame(one: EnvironmentName, other: EnvironmentName): boolean {
  return one.tenant === other.tenant && one.environment === other.environment;
}
