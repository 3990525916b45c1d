export * from './platform';
export * from './whoami';
