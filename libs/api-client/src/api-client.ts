import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { ApiUnreachable, faultOf } from './api-fault';

/** Where access tokens come from. */
export interface AccessTokens {
  current(): string | Promise<string>;
  /** A newer token than the one that was refused with 401; the call is then repeated once. */
  after?(refused: string): Promise<string>;
}

export interface ApiClientOptions {
  /** Such as `https://api.example.com`; the routes' `/v1` is added to it. */
  baseUrl: string;
  /** Absent for a caller that has not signed in, who reaches public routes only. */
  tokens?: AccessTokens;
  /** Sent with every call, such as `X-Plat-Mcp-Tool`. */
  headers?: Readonly<Record<string, string>>;
  /** Default 120: a MERGED report is answered after the service has fetched the repository. */
  timeoutSeconds?: number;
}

export interface ApiCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address, parameters filled in. */
  path: string;
  /** Undefined and empty values are left out. */
  query?: object;
  body?: object;
}

/** Carries the generated operations to one deployment of the API, as one caller. */
export class ApiClient {
  readonly baseUrl: string;
  private readonly http: AxiosInstance;

  constructor(private readonly options: ApiClientOptions) {
    this.baseUrl = options.baseUrl.replace(/\/$/, '');
    this.http = axios.create({
      baseURL: this.baseUrl,
      timeout: (options.timeoutSeconds ?? 120) * 1000,
      headers: { ...options.headers },
      // The API never redirects; following one could carry the token elsewhere.
      maxRedirects: 0,
      validateStatus: () => true,
    });
  }

  /**
   * Sends one call and answers its body; undefined when there is none.
   *
   * @throws ApiFault for every answer but a success
   * @throws ApiUnreachable when no answer came
   */
  async send<Result>(call: ApiCall): Promise<Result> {
    const token = await this.options.tokens?.current();
    let answer = await this.attempt(call, token);
    if (answer.status === 401 && token !== undefined && this.options.tokens?.after) {
      answer = await this.attempt(call, await this.options.tokens.after(token));
    }
    const { status, data, headers } = answer;
    if (status < 200 || status > 299) throw faultOf(status, data, headers['x-request-id']);
    return (data === '' ? undefined : data) as Result;
  }

  private async attempt(
    { method, path, query, body }: ApiCall,
    token: string | undefined,
  ): Promise<AxiosResponse> {
    try {
      return await this.http.request<unknown>({
        method,
        url: path,
        params: query,
        data: body,
        ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
      });
    } catch (error) {
      if (axios.isAxiosError(error)) throw new ApiUnreachable(this.baseUrl, error.code ?? error.message);
      throw error;
    }
  }
}

/** A value for one segment of a path. */
export function segment(value: string): string {
  return encodeURIComponent(value);
}
