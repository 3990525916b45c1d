import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { accountPage, errorPage } from './account-page';
import type { IssuerAccount } from './issuer-account';
import { sendPage } from './page';

const FORM_BYTES_MAX = 4096;

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

type Result = Parameters<Provider['interactionResult']>[2];

/**
 * Shows the account page of a pending sign-in (GET) and takes the choice made on it (POST). The provider's cookie
 * identifies the interaction. It is bound to this path and browsers do not send it with cross-site posts, so no other
 * page can choose for the person.
 */
export class Interactions {
  constructor(
    private readonly provider: Provider,
    private readonly accounts: readonly IssuerAccount[],
  ) {}

  async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const interaction = await this.provider.interactionDetails(req, res).catch(() => undefined);
    if (!interaction || req.url?.split('?')[0] !== `/interaction/${interaction.uid}`) {
      return sendPage(res, 400, errorPage('This sign-in is unknown here, or it has expired.'));
    }
    if (req.method !== 'POST') return sendPage(res, 200, await this.accountPage(interaction));
    const result = await this.resultOf(interaction, await readForm(req));
    if (!result) return sendPage(res, 400, errorPage('There is no such account.'));
    await this.provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
  }

  private async accountPage({ params }: Interaction): Promise<string> {
    const clientId = String(params.client_id);
    const client = await this.provider.Client.find(clientId);
    return accountPage(client?.clientName ?? clientId, this.accounts);
  }

  /** Picking an account is both the login and the consent: one click, not two pages. */
  private async resultOf(
    { params }: Interaction,
    form: URLSearchParams | undefined,
  ): Promise<Result | undefined> {
    const account = this.accounts.find(({ name }) => name === form?.get('account'));
    if (!account) return form?.has('cancel') ? { error: 'access_denied' } : undefined;
    const grant = new this.provider.Grant({ accountId: account.subject, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    return { login: { accountId: account.subject }, consent: { grantId: await grant.save() } };
  }
}

async function readForm(req: IncomingMessage): Promise<URLSearchParams | undefined> {
  let text = '';
  for await (const chunk of req.setEncoding('utf8')) {
    text += chunk;
    if (text.length > FORM_BYTES_MAX) return undefined;
  }
  return new URLSearchParams(text);
}
