import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';

const text = readFileSync(join(workspaceRoot(), 'deploy/edge/exposure/variables.tf'), 'utf8');
const main = readFileSync(join(workspaceRoot(), 'deploy/edge/exposure/main.tf'), 'utf8');
/** A variable's default as it is written; undefined if it has none. */
const defaultOf = (name: string): string | undefined =>
  new RegExp(String.raw`^variable "${name}" \{[^}]*?^ {2}default +=(.+)$`, 'm').exec(text)?.[1]?.trim();

describe('Transport policy belongs to the cluster edge. Spec: Client, TLS rules, rule 5', () => {
  it.each([
    ['hsts_max_age_seconds defaults to 86400', 'hsts_max_age_seconds', '86400'],
    ['hsts_include_subdomains is off by default', 'hsts_include_subdomains', 'false'],
    ['hsts_preload is off by default', 'hsts_preload', 'false'],
  ])('The edge setting %s', (_, name, value) => {
    expect(defaultOf(name)).toBe(value);
  });
});

it('every setting is used, and none is used that is not declared', () => {
  const declared = [...text.matchAll(/^variable "(\w+)"/gm)].map(([, name]) => name);
  const used = new Set([...main.matchAll(/\bvar\.(\w+)/g)].map(([, name]) => name));
  expect([...used].sort()).toEqual(declared.sort());
});
