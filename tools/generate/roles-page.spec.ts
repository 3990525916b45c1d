import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTE_COMMANDS, ROUTES } from '@plat/contracts/core';
import { workspaceRoot } from '@plat/local';
import { renderRoles } from './roles-page';

describe('the page of the roles', () => {
  const page = renderRoles();

  it('has each route once', () => {
    for (const { method, template } of Object.values(ROUTES)) {
      expect(page.split(`| \`${method} ${template}\` |`)).toHaveLength(2);
    }
  });

  it('names commands that the client has', () => {
    const reference = readFileSync(join(workspaceRoot(), 'docs', 'cli.md'), 'utf8');
    const missing = Object.values(ROUTE_COMMANDS)
      .flat()
      .filter((command) => !new RegExp(`^#+ (?:plat )?\`?(?:plat )?${command}\\b`, 'm').test(reference));
    expect(missing).toEqual([]);
  });

  it.each([
    ['GET /v1/reviews', 'ReadAll, TenantAdmin, TenantUser, TenantAgent'],
    ['POST /v1/users', 'WriteAll, TenantAdmin'],
    ['GET /v1/audit-events', 'ReadAll, TenantAdmin, TenantUser'],
    ['GET /v1/platform', 'none is needed, nor a token'],
  ])('says who may %s: %s', (line, roles) => {
    const row = page.split('\n').find((each) => each.startsWith(`| \`${line}\` `));
    expect(row).toMatch(new RegExp(`\\| ${roles} \\|$`));
  });
});
