import type { errors, KoaContextWithOIDC } from 'oidc-provider';
import { escapeHtml, page, PAGE_HEADERS } from './page';

/**
 * The pages of the device grant (RFC 8628). The provider makes the forms with their cross-site
 * request token; the buttons here belong to them by the forms' ids.
 */
export const devicePages = {
  userCodeInputSource(
    ctx: KoaContextWithOIDC,
    form: string,
    _out?: unknown,
    error?: errors.OIDCProviderError | Error,
  ): void {
    if (error && !isKept(ctx)) return withoutForm(ctx, error);
    const alert = error ? `<p role="alert">${escapeHtml(inputProblem(error))}</p>` : '';
    send(
      ctx,
      page(
        'Connect a device',
        `${alert}<p>Type the code that <strong>plat</strong> shows in your terminal.</p>
${labelled(form)}
<button class="plain primary" type="submit" form="op.deviceInputForm">Continue</button>`,
      ),
    );
  },

  userCodeConfirmSource(
    ctx: KoaContextWithOIDC,
    form: string,
    client: { clientName?: string | undefined; clientId: string },
    _deviceInfo: unknown,
    userCode: string,
  ): void {
    send(
      ctx,
      page(
        'Is this your code?',
        `<p>Continue only if <strong>${escapeHtml(client.clientName ?? client.clientId)}</strong> shows this code in your own terminal:</p>
<p><code>${escapeHtml(userCode)}</code></p>
${form}
<div class="actions">
<button type="submit" form="op.deviceConfirmForm" name="abort" value="yes">No, cancel</button>
<button class="primary" type="submit" form="op.deviceConfirmForm">Yes, continue</button>
</div>`,
      ),
    );
  },

  successSource(ctx: KoaContextWithOIDC): void {
    send(ctx, page('Signed in', '<p>You may close this page and go back to your terminal.</p>'));
  },
};

/** Whether the browser has a session of this issuer. Every form belongs to one. */
const isKept = ({ oidc }: KoaContextWithOIDC): boolean => oidc.session?.exp !== undefined;

/**
 * Answers a form from a browser without a session; no page of this issuer can have shown such a form. Discards the
 * session that the provider began for it: saving that session would fail, because it has no cookie any more.
 */
function withoutForm(ctx: KoaContextWithOIDC, error: Error): void {
  Object.assign(ctx.oidc.session!, { touched: false });
  const start = escapeHtml(ctx.oidc.urlFor('code_verification'));
  send(
    ctx,
    page(
      'Connect a device',
      `<p role="alert">${escapeHtml(inputProblem(error))}</p>\n<p><a href="${start}">Start again</a></p>`,
    ),
  );
}

function send(ctx: KoaContextWithOIDC, html: string): void {
  ctx.set(PAGE_HEADERS);
  ctx.body = html;
}

/** Adds a label for screen readers: the provider's input has only a placeholder. */
function labelled(form: string): string {
  return form.replace('<input\n', '<label for="user-code">Code</label>\n  <input id="user-code"\n');
}

function inputProblem(error: Error): string {
  if (error.name === 'AbortedError') return 'The sign-in was cancelled.';
  if (error.name === 'ExpiredError') return 'This code has expired. Ask for a new one in your terminal.';
  if (error.name === 'AlreadyUsedError') return 'This code has been used already.';
  if (error.name === 'NotFoundError' || error.name === 'NoCodeError') {
    return 'No sign-in waits for this code.';
  }
  return 'This page is no longer valid. Type the code again.';
}
