export {
  type AccessTokens,
  type ApiCall,
  ApiClient,
  type ApiClientOptions,
  type ExpectedAnswer,
  type Held,
} from './api-client';
export { ApiFault, type ApiFaultFields, ApiUnreachable, ForeignAnswer, Unchanged } from './api-fault';
export { boundFetch } from './fetch-text';
export * from './generated';
export { AnswerTooLarge, requestText, type TextAnswer, type TextRequest } from './http';
export { readPages } from './pages';
export { unlessAborted } from './unless-aborted';
