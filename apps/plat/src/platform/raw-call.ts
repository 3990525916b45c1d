import { ANSWERS, type ApiCall, type ApiClient, type ExpectedAnswer } from '@plat/api-client';
import { Failure } from '../terminal/failure';

export const METHODS: ReadonlyArray<ApiCall['method']> = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Checks a path of the API with its query. Refuses any other address, which could send the token to another host.
 *
 * @throws Failure INVALID_PATH
 */
export function apiPath(text: string): string {
  const path = text.startsWith('/') ? text : `/${text}`;
  if (/^\/v1(?:[/?]|$)/.test(path) && staysInApi(path)) return path;
  throw new Failure('INVALID_PATH', `${JSON.stringify(text)} is not a path of the API.`, {
    next: 'give a path such as /v1/reviews',
  });
}

/**
 * Whether the path is still one of the API once its dots are followed: another service may have the same host. An address
 * loses its tabs, its line breaks and what is blank at its end, so that dots could come together.
 */
function staysInApi(path: string): boolean {
  const [plain = ''] = path.split(/[?#]/, 1);
  return !/[\p{Cc}\s]/u.test(plain) && !plain.split(/[/\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
}

/** The body to send. @throws Failure INVALID_BODY if the text is not a JSON object or array */
export function jsonBody(text: string): object {
  const value = parsed(text);
  if (typeof value === 'object' && value !== null) return value;
  throw new Failure('INVALID_BODY', 'The body is not a JSON object.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Failure('INVALID_BODY', `The body is not JSON: ${(error as Error).message}.`);
  }
}

/**
 * Calls any route. If this client does not know the route, accepts any JSON, because the service may be newer.
 *
 * @returns the body of the answer; null if it has none. @throws ApiFault, ApiUnreachable, ForeignAnswer
 */
export async function rawCall(api: ApiClient, call: ApiCall): Promise<unknown> {
  return (await api.send<unknown>({ ...call, expected: expectedOf(call) })) ?? null;
}

/** Routes with a parameter are compared last, because `merge-queue` is not a review's id. */
function expectedOf({ method, path }: ApiCall): ExpectedAnswer | undefined {
  const asked = `${method} ${path.split('?')[0] ?? ''}`;
  const routes = Object.entries<ExpectedAnswer>(ANSWERS).sort(([a], [b]) => parameters(a) - parameters(b));
  return routes.find(([route]) => pattern(route).test(asked))?.[1];
}

const parameters = (route: string): number => route.split('{').length;

const pattern = (route: string): RegExp => new RegExp(`^${route.replace(/\{[a-z_]+\}/g, '[^/]+')}$`);
