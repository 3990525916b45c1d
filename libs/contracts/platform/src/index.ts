export * from './environment';
export * from './platform';
export * from './role';
export * from './user';
export * from './whoami';
