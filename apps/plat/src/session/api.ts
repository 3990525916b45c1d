import { isAxiosError, type AxiosInstance, type AxiosResponse } from 'axios';
import { routeNamed, type RouteName } from '@plat/contracts/core';
import type { Failure } from '../terminal/failure';
import { apiFailure, unreachable } from './api-failure';
import { routePath } from './route-path';

/** The values of one call. */
export interface CallInput {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | undefined>>;
  body?: Readonly<Record<string, unknown>>;
}

/** Calls one route by its name. @throws Failure with the API's code, or PLATFORM_UNREACHABLE */
export async function callRoute<T>(http: AxiosInstance, route: RouteName, input: CallInput = {}): Promise<T> {
  const { method, template } = routeNamed(route);
  const url = routePath(template, input.path ?? {});
  const response = await answered(http, () =>
    http.request<T>({ method, url, params: input.query, data: input.body }),
  );
  return response.data;
}

async function answered<T>(
  http: AxiosInstance,
  call: () => Promise<AxiosResponse<T>>,
): Promise<AxiosResponse<T>> {
  try {
    return await call();
  } catch (error) {
    throw callFailure(error, http.defaults.baseURL ?? '');
  }
}

/** What a call threw, as a failure of the command. */
export function callFailure(error: unknown, apiUrl: string): Failure | unknown {
  if (!isAxiosError(error)) return error;
  if (!error.response) return unreachable(apiUrl, error.code ?? error.message);
  const { status, headers, data } = error.response;
  const body: Record<string, unknown> = typeof data === 'object' && data !== null ? data : {};
  const requestId = headers['x-request-id'];
  return apiFailure({
    status,
    code: typeof body.code === 'string' ? body.code : `HTTP_${status}`,
    message: typeof body.message === 'string' ? body.message : '',
    details: body.details as Record<string, unknown> | undefined,
    requestId: typeof requestId === 'string' ? requestId : undefined,
  });
}
