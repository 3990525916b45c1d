import { CommandHost } from './command-host';
import type { CommandRun } from './execute';
import type { HostedCommand } from './hosted-command';

/** Hosts by their program: as many as run commands at the same time. */
const pool = new Map<string, CommandHost[]>();

/** Runs the command line in a host that is idle, or in a new one. */
export function runHosted(command: HostedCommand): Promise<CommandRun> {
  const key = JSON.stringify(command.host);
  const hosts = (pool.get(key) ?? []).filter((host) => !host.hasEnded);
  const idle = hosts.find((host) => !host.isBusy) ?? new CommandHost(command.host);
  if (!hosts.includes(idle)) hosts.push(idle);
  pool.set(key, hosts);
  return idle.run(command);
}

export function stopHosts(): void {
  for (const hosts of pool.values()) for (const host of hosts) host.stop();
  pool.clear();
}
