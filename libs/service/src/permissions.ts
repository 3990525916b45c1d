import { PermissionPattern } from '@plat/contracts/core';
import type { PermissionRule } from '@plat/database';

/** What a caller's roles permit, by (method, route template). Spec: API, Authentication, rule 3; decision F3. */
export class Permissions {
  private readonly decided = new Map<string, boolean>();

  constructor(private readonly rules: readonly PermissionRule[]) {}

  permit(method: string, template: string): boolean {
    const key = `${method} ${template}`;
    let answer = this.decided.get(key);
    if (answer === undefined) {
      answer = this.rules.some((rule) => matches(rule, method, template));
      this.decided.set(key, answer);
    }
    return answer;
  }
}

function matches(rule: PermissionRule, method: string, template: string): boolean {
  if (rule.apiMethod !== undefined) return rule.apiMethod === method && rule.apiPath === template;
  return holds(rule.apiMethodPattern, method) && holds(rule.apiPathPattern, template);
}

/** A pattern that cannot be read permits nothing. */
function holds(pattern: string | undefined, text: string): boolean {
  return PermissionPattern.read(pattern ?? '')?.matches(text) ?? false;
}
