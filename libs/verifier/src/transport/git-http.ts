/** One request of a git client; the shape that isomorphic-git's transport expects of its `http`. */
export interface GitHttpRequest {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** An answer with status 200; every other one was thrown as a RemoteFailure. */
export interface GitHttpResponse {
  /** Where the answer came from, after the redirect that is allowed. */
  url: string;
  method: string;
  statusCode: number;
  statusMessage: string;
  headers: Record<string, string>;
  body: AsyncIterableIterator<Uint8Array>;
}

/** How one verification reaches its remote, over the network or on this machine; both under the same caps. */
export interface GitHttp {
  /** @throws RemoteFailure */
  request(request: GitHttpRequest): Promise<GitHttpResponse>;
}

export async function joinBody(body: GitHttpRequest['body']): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of body ?? []) parts.push(part);
  return Buffer.concat(parts);
}
