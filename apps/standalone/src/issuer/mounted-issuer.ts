import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorPage } from './account-page';
import { Interactions } from './interactions';
import type { IssuerAccount } from './issuer-account';
import { readSigningKey } from './issuer-keys';
import { IssuerState } from './issuer-state';
import { mintToken } from './mint';
import { ISSUER_HEADERS, sendPage } from './page';
import { createProvider } from './provider';

export interface MountOptions {
  name: string;
  baseUrl: string;
  audience: string;
  accounts: readonly IssuerAccount[];
  keyFile: string;
  stateFile: string;
  onFault: (error: unknown) => void;
}

/** One issuer at its path. */
export interface MountedIssuer {
  issuer: string;
  accounts: readonly IssuerAccount[];
  handle(req: IncomingMessage, res: ServerResponse): boolean;
  /** A token for the API as a sign-in would give it, valid for 24 hours. */
  mint(account: IssuerAccount): Promise<string>;
}

const prefixOf = (name: string): string => `/issuers/${name}`;

export function issuerAddress(baseUrl: string, name: string): string {
  return `${baseUrl}${prefixOf(name)}`;
}

/** Opens the issuer `<baseUrl>/issuers/<name>`. */
export async function mountIssuer(options: MountOptions): Promise<MountedIssuer> {
  const prefix = prefixOf(options.name);
  const issuer = issuerAddress(options.baseUrl, options.name);
  const key = await readSigningKey(options.keyFile);
  const state = await IssuerState.open(options.stateFile);
  const provider = createProvider({ ...options, issuer, key, state });
  provider.on('server_error', (_ctx, error) => options.onFault(error));
  // Without a listener the provider's framework prints each error with its stack, also those that the client is shown.
  (provider as EventEmitter).on('error', (error: { expose?: boolean }) => {
    if (!error.expose) options.onFault(error);
  });
  const interactions = new Interactions(provider, options.accounts);
  const callback = provider.callback();
  const answer = (req: IncomingMessage, res: ServerResponse): Promise<void> =>
    req.url?.startsWith('/interaction/') ? interactions.answer(req, res) : callback(req, res);
  return {
    issuer,
    accounts: options.accounts,
    handle(req, res) {
      if (!req.url?.startsWith(`${prefix}/`)) return false;
      stripPrefix(req, prefix);
      for (const [name, value] of Object.entries(ISSUER_HEADERS)) res.setHeader(name, value);
      answer(req, res).catch((error: unknown) => {
        options.onFault(error);
        if (res.headersSent) res.destroy();
        else sendPage(res, 500, errorPage('The local sign-in failed; the log of the service says why.'));
      });
      return true;
    },
    mint: (account) => mintToken({ issuer, audience: options.audience, key, account }),
  };
}

/** Removes the mount's path: the provider routes by the rest, and finds the mount in originalUrl. */
function stripPrefix(req: IncomingMessage & { originalUrl?: string }, prefix: string): void {
  req.originalUrl = req.url as string;
  req.url = req.originalUrl.slice(prefix.length);
}
