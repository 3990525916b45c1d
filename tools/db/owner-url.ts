/**
 * The owner's URL of the database to work on.
 *
 * @param variable the name of the variable, for the message
 * @throws Error when the variable is unset or no address of a database; its value is never part of the message
 */
export function ownerUrlOf(
  { DATABASE_URL: url }: Record<string, string | undefined>,
  variable = 'DATABASE_URL',
): string {
  if (!url) throw new Error(`${variable} is not set: name the database as its owner.`);
  if (!/^postgres(ql)?:\/\/[^/]+\/.+/.test(url) || !URL.canParse(url)) {
    throw new Error(`${variable} must be postgres://owner:password@host:port/database.`);
  }
  return url;
}
