/** Drops the fields that are undefined, because headers and an environment would take them for present. */
export function defined<Value>(fields: Record<string, Value>): Record<string, Exclude<Value, undefined>> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, Exclude<Value, undefined>>;
}
