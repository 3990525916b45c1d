import { ValidateBy } from 'class-validator';
import { PermissionPattern } from '@plat/contracts/core';
import type { PermissionRule } from './stock-roles';

const EXACT = ['apiMethod', 'apiPath'];
const PATTERN = ['apiMethodPattern', 'apiPathPattern'];

/** Whether a value is a complete rule, either exact or with valid patterns. Rule F3. */
function isPermissionRule(value: unknown): value is PermissionRule {
  if (typeof value !== 'object' || value === null) return false;
  const [fields, texts] = [Object.keys(value), Object.values(value) as unknown[]];
  if (!texts.every((text) => typeof text === 'string')) return false;
  if (isPair(fields, EXACT)) return true;
  return isPair(fields, PATTERN) && texts.every((text) => PermissionPattern.read(text) !== undefined);
}

const isPair = (fields: string[], pair: string[]): boolean =>
  fields.length === 2 && pair.every((field) => fields.includes(field));

/** A list of permission rules, for class-validator. */
export const IsPermissionRules = (): PropertyDecorator =>
  ValidateBy({
    name: 'isPermissionRules',
    validator: {
      validate: (value) => Array.isArray(value) && value.every(isPermissionRule),
      defaultMessage: () =>
        'permissions must be a list of {apiMethod, apiPath} or {apiMethodPattern, apiPathPattern}, readable patterns',
    },
  });
