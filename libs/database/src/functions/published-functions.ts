import published from '../../published.json';

/** The logins and owners that may call each function which a schema publishes, by the function's signature. */
export const PUBLISHED_FUNCTIONS: Readonly<Record<string, readonly string[]>> = published;
