import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readSecretFile } from '../config/secret-file';
import { childVariables } from '../environment';
import { Failure } from '../terminal/failure';
import { hideInOutput } from '../terminal/hidden-secrets';

const TOKEN_LENGTH_MAX = 64 * 1024;
const COMMAND_SECONDS_MAX = 60;
const LINE = /^[^\p{Cc}]+$/u;

/** Where the user keeps the gateway's credential: `gateway` of the user's configuration. Rule H7. */
export interface TokenSource {
  tokenFile?: string | undefined;
  tokenCommand?: string | undefined;
}

/**
 * The credential of the gateway, from a file that only its owner may read, or from a command that prints it.
 *
 * @throws Failure GATEWAY_TOKEN_MISSING, GATEWAY_TOKEN_EXPOSED, GATEWAY_TOKEN_UNREADABLE; none repeats the credential or
 *   the command, which may hold one
 */
export async function readGatewayToken(source: TokenSource, interrupted: AbortSignal): Promise<string> {
  const { tokenFile, tokenCommand } = requireTokenSource(source);
  const text =
    tokenFile === undefined
      ? await runTokenCommand(tokenCommand ?? '', interrupted)
      : await fileText(tokenFile);
  const token = text.trim();
  const place = tokenFile ?? 'What gateway.tokenCommand prints';
  if (token.length <= TOKEN_LENGTH_MAX && LINE.test(token)) return hideInOutput(token);
  throw unreadable(`${place} is not one line of text.`);
}

/** @throws Failure GATEWAY_TOKEN_MISSING unless exactly one source is configured */
export function requireTokenSource(source: TokenSource): TokenSource {
  const { tokenFile, tokenCommand } = source;
  if (tokenFile !== undefined && tokenCommand !== undefined) {
    throw new Failure(
      'GATEWAY_TOKEN_MISSING',
      'The configuration has both gateway.tokenFile and gateway.tokenCommand.',
      { next: 'plat config unset gateway.tokenCommand' },
    );
  }
  if (tokenFile !== undefined || tokenCommand !== undefined) return source;
  throw new Failure(
    'GATEWAY_TOKEN_MISSING',
    'The environment has a gateway, but the configuration does not say where its credential is.',
    { next: 'plat config set gateway.tokenFile <path>' },
  );
}

function fileText(path: string): Promise<string> {
  const holds = "the gateway's credential";
  return readSecretFile({ path, holds, exposedCode: 'GATEWAY_TOKEN_EXPOSED', unreadable });
}

async function runTokenCommand(command: string, signal: AbortSignal): Promise<string> {
  try {
    const options = { env: childVariables({}), signal, timeout: COMMAND_SECONDS_MAX * 1000 };
    return (await promisify(execFile)('/bin/sh', ['-c', command], options)).stdout;
  } catch (error) {
    signal.throwIfAborted();
    const { code, killed } = error as { code?: number | string; killed?: boolean };
    const how = killed === true ? `took over ${COMMAND_SECONDS_MAX} s` : `ended with ${code ?? 'a signal'}`;
    throw unreadable(`gateway.tokenCommand of your configuration ${how}.`);
  }
}

function unreadable(message: string): Failure {
  return new Failure('GATEWAY_TOKEN_UNREADABLE', message, {
    next: 'correct gateway of your configuration (plat config get gateway), then repeat the command',
  });
}
