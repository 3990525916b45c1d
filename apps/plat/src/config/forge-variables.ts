import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the forge's own command-line tool, gh, takes from its variables, as it defines them. */
export interface ForgeVariables {
  /** For github.com and hosts below ghe.com. */
  token?: string;
  /** For every other host. */
  enterpriseToken?: string;
  /** Where gh keeps its session. */
  ghFolder: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Spec: Client, Variables read by the client: those of other tools are honoured as the tools define them. */
export function readForgeVariables(variables: Variables = process.env): ForgeVariables {
  const { XDG_CONFIG_HOME, APPDATA, HOME, GH_CONFIG_DIR } = variables;
  const base = XDG_CONFIG_HOME ? join(XDG_CONFIG_HOME, 'gh') : undefined;
  const windows = APPDATA && process.platform === 'win32' ? join(APPDATA, 'GitHub CLI') : undefined;
  return {
    token: variables.GH_TOKEN || variables.GITHUB_TOKEN || undefined,
    enterpriseToken: variables.GH_ENTERPRISE_TOKEN || variables.GITHUB_ENTERPRISE_TOKEN || undefined,
    ghFolder: GH_CONFIG_DIR || base || windows || join(HOME || homedir(), '.config', 'gh'),
  };
}
