import { useEffect, useState } from 'preact/hooks';
import { addressOf, type Place, placeAt } from '@plat/console/places';

export interface PlaceInUse {
  /** Undefined if the address names none. */
  place: Place | undefined;
  go(place: Place): void;
}

/** The place that the address names. Going elsewhere changes the address, so that it can be shared and gone back from. */
export function usePlace(): PlaceInUse {
  const here = (): Place | undefined => placeAt(location.pathname, location.search);
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const moved = (): void => setPlace(here());
    addEventListener('popstate', moved);
    return () => removeEventListener('popstate', moved);
  }, []);
  const go = (next: Place): void => {
    if (addressOf(next) !== location.pathname + location.search) history.pushState(null, '', addressOf(next));
    setPlace(next);
    scrollTo(0, 0);
  };
  return { place, go };
}
