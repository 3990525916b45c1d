import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Place } from '@plat/console/places';
import type { ApiReader } from './reads/api-reader';
import type { Whoami } from './reads/shapes';

/** The facts that every place needs. */
export interface AppFacts {
  reader: ApiReader;
  /** The person; absent until the service has said who it is. */
  me?: Whoami | undefined;
  /** The name of a user, if this person may list users. */
  usernameOf(userId: string): string | undefined;
  go(place: Place): void;
}

export const AppContext = createContext<AppFacts | undefined>(undefined);

export function useApp(): AppFacts {
  const facts = useContext(AppContext);
  if (facts === undefined) throw new Error('No facts of the app above this part.');
  return facts;
}
