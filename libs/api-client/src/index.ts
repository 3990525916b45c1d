export { ApiClient, type AccessTokens, type ApiCall, type ApiClientOptions } from './api-client';
export { ApiFault, ApiUnreachable, type ApiFaultFields } from './api-fault';
export * from './generated';
