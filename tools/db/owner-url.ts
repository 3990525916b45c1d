/**
 * The owner's URL of the database to work on.
 *
 * @throws Error when DATABASE_URL is unset or no address of a database; its value is never part of the message
 */
export function ownerUrlOf({ DATABASE_URL: url }: Record<string, string | undefined>): string {
  if (!url) throw new Error('DATABASE_URL is not set: name the database as its owner.');
  if (!/^postgres(ql)?:\/\/[^/]+\/.+/.test(url) || !URL.canParse(url)) {
    throw new Error('DATABASE_URL must be postgres://owner:password@host:port/database.');
  }
  return url;
}
