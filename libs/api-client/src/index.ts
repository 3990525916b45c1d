export {
  type AccessTokens,
  type ApiCall,
  ApiClient,
  type ApiClientOptions,
  type ExpectedAnswer,
  type Held,
} from './api-client';
export { ApiFault, type ApiFaultFields, ApiUnreachable, ForeignAnswer, Unchanged } from './api-fault';
export * from './generated';
export { unlessAborted } from './unless-aborted';
