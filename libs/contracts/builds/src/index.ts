export * from './build';
