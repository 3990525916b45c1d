import { join } from 'node:path';
import { ownHome } from '../own-account';

/** The variables of gh, the forge's own command-line tool, as it defines them. */
export interface ForgeVariables {
  /** Token for github.com and hosts below ghe.com. */
  token?: string;
  /** Token for every other host. */
  enterpriseToken?: string;
  /** The folder of gh's session. */
  ghFolder: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Spec: Client, Variables read by the client: those of other tools are honoured as the tools define them. */
export function readForgeVariables(variables: Variables = process.env): ForgeVariables {
  const { XDG_CONFIG_HOME, APPDATA, GH_CONFIG_DIR } = variables;
  const base = XDG_CONFIG_HOME ? join(XDG_CONFIG_HOME, 'gh') : undefined;
  const windows = APPDATA && process.platform === 'win32' ? join(APPDATA, 'GitHub CLI') : undefined;
  return {
    token: variables.GH_TOKEN || variables.GITHUB_TOKEN || undefined,
    enterpriseToken: variables.GH_ENTERPRISE_TOKEN || variables.GITHUB_ENTERPRISE_TOKEN || undefined,
    ghFolder: GH_CONFIG_DIR || base || windows || join(ownHome(variables), '.config', 'gh'),
  };
}
