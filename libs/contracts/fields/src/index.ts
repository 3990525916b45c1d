export * from './field';
export * as rules from './rules';
