import type { IssuerAccount } from './issuer-account';
import { escapeHtml, page } from './page';

/** The page on which a person picks an account. Each account is a button of one form, as is Cancel. */
export function accountPage(clientName: string, accounts: readonly IssuerAccount[]): string {
  const buttons = accounts.map(
    ({ name, description }) =>
      `<li><button type="submit" name="account" value="${escapeHtml(name)}">` +
      `<strong>${escapeHtml(name)}</strong><small>${escapeHtml(description)}</small></button></li>`,
  );
  return page(
    'Pick an account',
    `<p><strong>${escapeHtml(clientName)}</strong> asks to act for you on this machine's plat. Development accounts have no password.</p>
<form method="post">
<ul>
${buttons.join('\n')}
</ul>
<button class="plain" type="submit" name="cancel" value="yes">Cancel</button>
</form>`,
  );
}

/** Returns the page that a person sees when a sign-in cannot continue; `reason` is plain text. */
export function errorPage(reason: string): string {
  return page(
    'That did not work',
    `<p role="alert">${escapeHtml(reason)}</p>\n<p>Go back to the terminal and start the sign-in again.</p>`,
  );
}
