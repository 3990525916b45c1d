import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ApiReader } from './api-reader';
import { ReadFailure } from './read-failure';
import type { User, Whoami } from './shapes';

export interface Who {
  me?: Whoami;
  failure?: ReadFailure;
}

/** The person who has signed in. */
export function useMe(reader: ApiReader): Who {
  const [who, setWho] = useState<Who>({});
  useEffect(() => {
    const leaving = new AbortController();
    const read = (): Promise<void> =>
      reader.get<Whoami>('/v1/whoami', leaving.signal).then(
        (me) => setWho({ me }),
        (error: unknown) => {
          if (leaving.signal.aborted || !(error instanceof ReadFailure)) return;
          setWho((before) => ({ ...before, failure: error }));
          if (error.kind === 'unreachable') timer = setTimeout(read, 2000);
        },
      );
    let timer: ReturnType<typeof setTimeout> | undefined;
    void read();
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [reader]);
  return who;
}

/** The names of users, read when the first is asked for. A person who may not list users sees ids. */
export function useUsernames(reader: ApiReader): (userId: string) => string | undefined {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = useRef<ApiReader>(undefined);
  return useCallback(
    (userId) => {
      if (asked.current !== reader) {
        asked.current = reader;
        reader.get<User[]>('/v1/users', new AbortController().signal).then(
          (users) => setNames(new Map(users.map((user) => [user.userId, user.username]))),
          () => undefined,
        );
      }
      return names.get(userId);
    },
    [reader, names],
  );
}
