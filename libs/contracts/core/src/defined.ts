/** The fields that have a value, for a reader to whom a field that is undefined is there: headers, an environment. */
export function defined<Value>(fields: Record<string, Value>): Record<string, Exclude<Value, undefined>> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, Exclude<Value, undefined>>;
}
