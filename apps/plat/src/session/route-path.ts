/** The template with its parameters filled in. */
export function routePath(template: string, path: Readonly<Record<string, string>>): string {
  return template.replace(/\{([a-z_]+)\}/g, (_match, name: string) => encodeURIComponent(path[name] ?? ''));
}
