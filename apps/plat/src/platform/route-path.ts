/** In a plan, stands for an id that an earlier step will return, such as `<gate_run_id>`. */
const PLACEHOLDER = /^<[a-z_]+>$/;

/** The template with its parameters filled in. */
export function routePath(template: string, path: Readonly<Record<string, string>>): string {
  return template.replace(/\{([a-z_]+)\}/g, (_match, name: string) => {
    const value = path[name] ?? '';
    return PLACEHOLDER.test(value) ? value : encodeURIComponent(value);
  });
}
