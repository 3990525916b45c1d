import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Budget } from '../budget';
import type { VerifierConfig } from '../config';
import { refused, RemoteFailure, unreadable } from '../remote-failure';
import { type GitHttp, type GitHttpRequest, type GitHttpResponse, joinBody } from './git-http';
import { RemoteWaits } from './remote-waits';

interface Limits {
  budget: Budget;
  signal: AbortSignal;
  waits?: RemoteWaits | undefined;
}

/**
 * A directory of this machine, read by the same client as a server: each request is one stateless `git upload-pack`.
 * The child does not inherit this process's environment, so that the user's configuration, replace refs and hooks have
 * no effect, and so that it can serve a directory that another user owns.
 */
export function localGit(config: VerifierConfig, limits: Limits): GitHttp {
  return {
    request: async (request) => {
      if (!config.allowFile) throw refused('local directories not allowed');
      limits.budget.chargeRequest();
      return serve(request, config, limits);
    },
  };
}

async function serve(
  request: GitHttpRequest,
  config: VerifierConfig,
  { budget, signal, waits }: Limits,
): Promise<GitHttpResponse> {
  const advertise = request.method !== 'POST';
  const body = advertise ? Buffer.alloc(0) : await joinBody(request.body);
  const child = spawn(
    'git',
    [
      ...[
        '-c',
        'safe.directory=*',
        '-c',
        'uploadpack.allowFilter=true',
        '-c',
        'uploadpack.allowAnySHA1InWant=true',
      ],
      ...[
        'upload-pack',
        '--stateless-rpc',
        ...(advertise ? ['--advertise-refs'] : []),
        directoryOf(request.url),
      ],
    ],
    { env: environment(config), cwd: '/', signal, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  // The error of a child that cannot start or was aborted is handled as the end of its output.
  child.on('error', () => child.stdout.destroy());
  // A child that ends early closes its input. That error is ignored, because the child's output gives the reason.
  child.stdin.on('error', () => undefined);
  child.stdin.end(body);
  return {
    url: request.url,
    method: request.method ?? 'GET',
    statusCode: 200,
    statusMessage: 'OK',
    headers: { 'content-type': 'application/x-git-upload-pack-advertisement' },
    body: read(child, { budget, waits, idleMs: config.caps.idleMs }),
  };
}

async function* read(
  child: ReturnType<typeof spawn>,
  { budget, waits = new RemoteWaits(), idleMs }: Pick<Limits, 'budget' | 'waits'> & { idleMs: number },
): AsyncIterableIterator<Uint8Array> {
  const idle = setTimeout(() => child.kill('SIGKILL'), idleMs);
  try {
    for await (const chunk of waits.each(child.stdout as AsyncIterable<Buffer>)) {
      budget.chargeDownload(chunk.length);
      yield chunk;
      idle.refresh();
    }
  } catch (error) {
    throw error instanceof RemoteFailure ? error : unreadable('local git failed');
  } finally {
    clearTimeout(idle);
    child.kill('SIGKILL');
  }
}

/** The directory of a request's URL, which is one of the two paths that a git client requests below it. */
function directoryOf(url: string): string {
  const repository = new URL(url);
  repository.search = '';
  repository.pathname = repository.pathname.replace(/\/(?:info\/refs|git-upload-pack)$/, '');
  return fileURLToPath(repository);
}

function environment(config: VerifierConfig): NodeJS.ProcessEnv {
  return {
    PATH: config.gitSearchPath,
    LC_ALL: 'C',
    GIT_PROTOCOL: 'version=2',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
}
