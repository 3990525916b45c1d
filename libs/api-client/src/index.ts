export { unlessAborted } from './unless-aborted';
export {
  ApiClient,
  type AccessTokens,
  type ApiCall,
  type ApiClientOptions,
  type ExpectedAnswer,
} from './api-client';
export { ApiFault, ApiUnreachable, ForeignAnswer, type ApiFaultFields } from './api-fault';
export * from './generated';
