export * from './environment';
export * from './hostname';
export * from './platform';
export * from './role';
export * from './user';
export * from './whoami';
