/** The channel between the window in which a person signs in and the console that opened it. Same origin alone. */
export const SIGN_IN_CHANNEL = 'plat-console-sign-in';

/** Sent by the sign-in window: the query that the identity provider appended to the redirect URI. */
export interface ProviderReturned {
  kind: 'returned';
  /** Such as `?code=…&state=…&iss=…`. */
  search: string;
}

/** Sent by the console that began the sign-in. */
export interface SignInReceived {
  kind: 'received';
  state: string;
}

export type SignInMessage = ProviderReturned | SignInReceived;
