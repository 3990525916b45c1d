import { causeCode, untrustedCertificate } from '../failures/untrusted-certificate';
import { Failure } from '../terminal/failure';

/** The parts of Octokit's error that are read. `response` is absent if the forge did not answer. */
interface RequestError extends Error {
  status: number;
  response?: { data?: unknown };
  request?: { method?: string; url?: string };
}

/** Converts an error of a call to the forge to a failure of the command. */
export function forgeFailure(error: unknown, apiUrl: string): unknown {
  if (!isRequestError(error)) return error;
  const { status, response, request } = error;
  if (response === undefined) {
    return (
      untrustedCertificate(apiUrl, causeCode(error)) ??
      new Failure('FORGE_UNREACHABLE', `${apiUrl} did not answer: ${error.message}.`, {
        details: { forgeUrl: apiUrl },
        next: 'check --forge-url and the network, then repeat the command',
      })
    );
  }
  const call = `${request?.method ?? ''} ${request?.url ?? ''}`.trim();
  return new Failure('FORGE_REFUSED', `The forge answered ${status} to ${call}: ${saidBy(response.data)}`, {
    details: { status, call },
    next: status === 401 || status === 403 ? 'check what the token for the forge may do' : undefined,
  });
}

function isRequestError(error: unknown): error is RequestError {
  return error instanceof Error && error.name === 'HttpError';
}

function saidBy(data: unknown): string {
  const message = typeof data === 'object' && data !== null && 'message' in data ? data.message : undefined;
  return typeof message === 'string' ? message : 'it gave no reason.';
}
