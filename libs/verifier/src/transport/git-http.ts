/** One request of a git client, in the shape that isomorphic-git expects of its `http`. */
export interface GitHttpRequest {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** An answer with status 200. Any other status is thrown as a RemoteFailure. */
export interface GitHttpResponse {
  /** The URL of the answer, after the one allowed redirect. */
  url: string;
  method: string;
  statusCode: number;
  statusMessage: string;
  headers: Record<string, string>;
  body: AsyncIterableIterator<Uint8Array>;
}

/** Access of one verification to its remote, over the network or on this machine, under the same caps. */
export interface GitHttp {
  /** @throws RemoteFailure */
  request(request: GitHttpRequest): Promise<GitHttpResponse>;
}

export async function joinBody(body: GitHttpRequest['body']): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of body ?? []) parts.push(part);
  return Buffer.concat(parts);
}
