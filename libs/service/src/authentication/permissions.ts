import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { PermissionPattern, ROUTES } from '@plat/contracts/core';
import type { PermissionRule } from '@plat/database';

/** Most cached patterns, and most cached sets of rules with their decisions. */
const PATTERNS_MAX = 5_000;
const RULE_SETS_MAX = 2_000;

const READS = Object.values(ROUTES)
  .filter((route) => route.method === 'GET' && !route.public)
  .map(({ template }) => template);

/** A pattern that is parsed once, with its results for methods and templates, of which there are few. */
class KnownPattern {
  private readonly pattern: PermissionPattern | undefined;
  private readonly answers = new Map<string, boolean>();

  constructor(source: string) {
    this.pattern = PermissionPattern.read(source);
  }

  /** False for a pattern that cannot be read. */
  holds(text: string): boolean {
    let answer = this.answers.get(text);
    if (answer === undefined) this.answers.set(text, (answer = this.pattern?.matches(text) ?? false));
    return answer;
  }
}

/** Patterns, keyed by their text. */
const patterns = new LRUCache<string, KnownPattern>({ max: PATTERNS_MAX });

/** Permissions, keyed by a digest of the rules, so that callers with the same rules share them. */
const ruleSets = new LRUCache<string, Permissions>({ max: RULE_SETS_MAX });

/** The permissions of a caller's roles, by (method, route template). Spec: API, Authentication, rule 3; rule F3. */
export class Permissions {
  private readonly decided = new Map<string, boolean>();

  constructor(private readonly rules: readonly PermissionRule[]) {}

  /** The permissions of these rules, with the decisions that are cached for them. */
  static of(rules: readonly PermissionRule[]): Permissions {
    const key = hash('sha256', JSON.stringify(rules), 'base64');
    let permissions = ruleSets.get(key);
    if (!permissions) ruleSets.set(key, (permissions = new Permissions(rules)));
    return permissions;
  }

  /** Whether they permit every read, as ReadAll does, by a role of any name. Spec: API, Authentication, rule 4. */
  get readAll(): boolean {
    return READS.every((template) => this.permit('GET', template));
  }

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
  return holds(rule.apiMethodPattern ?? '', method) && holds(rule.apiPathPattern ?? '', template);
}

function holds(source: string, text: string): boolean {
  let pattern = patterns.get(source);
  if (!pattern) patterns.set(source, (pattern = new KnownPattern(source)));
  return pattern.holds(text);
}
