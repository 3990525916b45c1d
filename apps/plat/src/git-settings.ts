type Variables = Readonly<Record<string, string | undefined>>;

/** A setting for git in variables: GIT_CONFIG_KEY_0, GIT_CONFIG_VALUE_0 and so on, up to GIT_CONFIG_COUNT. */
const SETTING = /^GIT_CONFIG_(?:KEY|VALUE)_\d+$/;

/**
 * Drops each setting of which a part was taken away, and numbers the others again: git refuses to run if one of them is
 * missing.
 */
export function keepWholeSettings(variables: Variables): Variables {
  const count = Number(variables.GIT_CONFIG_COUNT ?? 0);
  const all = Object.entries(variables);
  // Each setting takes two variables, so a greater number is wrong, which git itself reports.
  if (!Number.isSafeInteger(count) || count < 0 || count > all.length) return variables;
  const settings = Array.from({ length: count }, (_, at) => [
    variables[`GIT_CONFIG_KEY_${at}`],
    variables[`GIT_CONFIG_VALUE_${at}`],
  ]).filter((setting) => !setting.includes(undefined));
  if (settings.length === count) return variables;
  const others = all.filter(([name]) => !SETTING.test(name));
  const kept = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    ...Object.fromEntries([...others, ...kept]),
    GIT_CONFIG_COUNT: String(settings.length),
  } as Variables;
}
