/** The channel between the window in which a person signs in and the console that opened it. Same origin alone. */
export const SIGN_IN_CHANNEL = 'plat-console-sign-in';

/** From the window: what the identity provider added to the address that it returned to. */
export interface ProviderReturned {
  kind: 'returned';
  /** Such as `?code=…&state=…&iss=…`. */
  search: string;
}

/** From the console whose sign-in it is. */
export interface SignInReceived {
  kind: 'received';
  state: string;
}

export type SignInMessage = ProviderReturned | SignInReceived;
