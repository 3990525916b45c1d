export {
  type AccessTokens,
  type ApiCall,
  ApiClient,
  type ApiClientOptions,
  type ExpectedAnswer,
} from './api-client';
export { ApiFault, type ApiFaultFields, ApiUnreachable, ForeignAnswer } from './api-fault';
export * from './generated';
export { unlessAborted } from './unless-aborted';
