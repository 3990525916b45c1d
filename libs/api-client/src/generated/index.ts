// Written by `npm run generate` from the OpenAPI document of the service; nobody edits it.
export * from './reviews';
export * from './builds';
export * from './releases';
export * from './audit';
export * from './platform';
