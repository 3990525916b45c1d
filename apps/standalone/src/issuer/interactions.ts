import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { accountPage, errorPage } from './account-page';
import type { IssuerAccount } from './issuer-account';
import { sendPage } from './page';

const FORM_BYTES_MAX = 4096;

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/**
 * Shows the account page of a pending sign-in (GET) and takes the choice made on it (POST). The
 * interaction is found by the provider's cookie, bound to this path and withheld from cross-site
 * posts, so no other page can choose for the person.
 */
export async function interact(
  provider: Provider,
  accounts: readonly IssuerAccount[],
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const interaction = await provider.interactionDetails(req, res).catch(() => undefined);
  if (!interaction || req.url?.split('?')[0] !== `/interaction/${interaction.uid}`) {
    return sendPage(res, 400, errorPage('This sign-in is unknown here, or it has expired.'));
  }
  const client = await provider.Client.find(String(interaction.params.client_id));
  const clientName = client?.clientName ?? String(interaction.params.client_id);
  if (req.method !== 'POST') return sendPage(res, 200, accountPage(clientName, accounts));

  const form = await readForm(req);
  const account = accounts.find(({ name }) => name === form?.get('account'));
  if (account) return finish(provider, req, res, await signedIn(provider, interaction, account));
  if (form?.has('cancel')) return finish(provider, req, res, { error: 'access_denied' });
  return sendPage(res, 400, errorPage('There is no such account.'));
}

function finish(
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
  result: Parameters<Provider['interactionResult']>[2],
): Promise<void> {
  return provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
}

/** Picking an account is both the login and the consent: one click, not two pages. */
async function signedIn(provider: Provider, { params }: Interaction, account: IssuerAccount) {
  const grant = new provider.Grant({ accountId: account.subject, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  return { login: { accountId: account.subject }, consent: { grantId: await grant.save() } };
}

async function readForm(req: IncomingMessage): Promise<URLSearchParams | undefined> {
  let text = '';
  for await (const chunk of req.setEncoding('utf8')) {
    text += chunk;
    if (text.length > FORM_BYTES_MAX) return undefined;
  }
  return new URLSearchParams(text);
}
