import type { DevelopmentAccount } from './development/accounts';

export interface Welcome {
  apiUrl: string;
  dataDir: string;
  logFile: string;
  accounts: readonly DevelopmentAccount[];
}

/** The text for the terminal once everything answers: addresses, accounts and the next commands. */
export function welcomeText({ apiUrl, dataDir, logFile, accounts }: Welcome): string {
  const width = Math.max(...accounts.map(({ name }) => name.length));
  const people = accounts.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`);
  return `plat answers at ${apiUrl}

Accounts (no password; pick one on the sign-in page):
${people.join('\n')}

Next, in another terminal:
  npm run plat -- cloud init local --api-url ${apiUrl}
  npm run plat -- cloud login --alias local
  npm run plat -- review list --alias local

The console: ${apiUrl}/console/
The API reference: ${apiUrl}/docs

Data is kept in ${dataDir}, the log in ${logFile}.
Ctrl-C stops everything.
`;
}
