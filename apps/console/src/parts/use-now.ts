import { useEffect, useState } from 'preact/hooks';

/** How often ages on the page are brought up to date. */
const TICK_MILLISECONDS = 10_000;

/** Returns the present time, and renders again as it passes. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MILLISECONDS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
