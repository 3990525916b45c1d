import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { childVariables } from '../environment';
import { Failure } from '../terminal/failure';
import { buildahBuilder } from './buildah-builder';
import type { Builder } from './builder';
import { dockerBuilder } from './docker-builder';

const ANSWER_MILLISECONDS_MAX = 20_000;
/** The first release of docker's client that has BuildKit only through its plugin. */
const PLUGIN_ONLY = 23;

/** A program's answer to a question about itself. */
interface Answer {
  ok: boolean;
  text: string;
}

/**
 * Returns the first usable one of: docker with BuildKit, buildah, podman. The checks change nothing.
 *
 * @throws Failure NO_BUILDER, with the reason for each
 */
export async function chooseBuilder(): Promise<Builder> {
  const docker = await usableDocker();
  if (typeof docker !== 'string') return docker;
  const reasons = [docker];
  for (const program of ['buildah', 'podman'] as const) {
    const { ok, text } = await ask(program, 'version');
    if (ok) return buildahBuilder(program);
    reasons.push(`${program}: ${text}`);
  }
  throw new Failure('NO_BUILDER', `No builder can be used. ${reasons.join('; ')}.`, {
    details: { reasons },
    next: 'start the docker daemon, or install docker with buildx, or buildah',
  });
}

/**
 * Chooses by the installed programs alone, for plans that are only printed. It asks no daemon, so it does not notice if
 * the daemon is not running.
 *
 * @throws Failure NO_BUILDER
 */
export async function builderByPrograms(): Promise<Builder> {
  const docker = await ask('docker', '--version');
  if (docker.ok) {
    if ((await ask('docker', 'buildx', 'version')).ok) return dockerBuilder('buildx');
    const [, major = ''] = /version (\d+)/.exec(docker.text) ?? [];
    if (Number(major) < PLUGIN_ONLY) return dockerBuilder('embedded');
  }
  for (const program of ['buildah', 'podman'] as const) {
    if ((await ask(program, '--version')).ok) return buildahBuilder(program);
  }
  throw new Failure(
    'NO_BUILDER',
    'No builder is on the PATH: neither docker with BuildKit, nor buildah, nor podman.',
    {
      next: 'install docker with buildx, or buildah',
    },
  );
}

/** @returns the builder, or the reason why it cannot be used */
async function usableDocker(): Promise<Builder | string> {
  const client = await ask('docker', 'version', '--format', '{{.Client.Version}}');
  const server = await ask('docker', 'version', '--format', '{{.Server.Version}}');
  if (!server.ok) return `docker: ${server.text}`;
  if ((await ask('docker', 'buildx', 'version')).ok) return dockerBuilder('buildx');
  if (Number.parseInt(client.text, 10) < PLUGIN_ONLY) return dockerBuilder('embedded');
  return `docker: its client ${client.text} is without the buildx plugin`;
}

async function ask(program: string, ...args: string[]): Promise<Answer> {
  try {
    const options = { timeout: ANSWER_MILLISECONDS_MAX, env: childVariables({ LC_ALL: 'C' }) };
    const { stdout } = await promisify(execFile)(program, args, options);
    return { ok: true, text: stdout.trim() };
  } catch (error) {
    return { ok: false, text: whyNot(error) };
  }
}

function whyNot(error: unknown): string {
  const { code, stderr, killed } = error as { code?: unknown; stderr?: string; killed?: boolean };
  if (code === 'ENOENT') return 'it is not on the PATH';
  if (killed) return 'it did not answer';
  const said = stderr?.trim().split('\n').at(-1);
  return said === undefined || said === '' ? `it ended with ${String(code)}` : said.replace(/\.$/, '');
}
