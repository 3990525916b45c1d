import type { GitHttp, GitHttpRequest, GitHttpResponse } from './git-http';
import type { GitRequest } from './git-request';

/** Reports each request when its answer has been read, or when it has failed. */
export function reportedHttp(http: GitHttp, report: (request: GitRequest) => void): GitHttp {
  return {
    request: async (request) => {
      const startMs = Date.now();
      const end = (failed: boolean) => report({ ...described(request), startMs, endMs: Date.now(), failed });
      let answer: GitHttpResponse;
      try {
        answer = await http.request(request);
      } catch (error) {
        end(true);
        throw error;
      }
      return { ...answer, body: untilEnd(answer.body, end) };
    },
  };
}

function described({ url, method = 'GET' }: GitHttpRequest): Pick<GitRequest, 'host' | 'method' | 'path'> {
  const { host, pathname } = new URL(url);
  const path =
    (['info/refs', 'git-upload-pack'] as const).find((end) => pathname.endsWith(`/${end}`)) ?? 'other';
  return { host, method, path };
}

/** A reader may stop early, which is no failure. */
async function* untilEnd(
  body: AsyncIterableIterator<Uint8Array>,
  end: (failed: boolean) => void,
): AsyncIterableIterator<Uint8Array> {
  let failed = false;
  try {
    yield* body;
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    end(failed);
  }
}
