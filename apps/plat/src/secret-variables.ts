import { containsSecret } from './secret-values';

/** Tokens of forges and of models: they reach neither a cluster nor a program that runs a branch's code. */
export const FORGE_AND_MODEL_TOKENS = [
  'GH_TOKEN',
  'GITHUB_TOKEN',
  'GH_ENTERPRISE_TOKEN',
  'GITHUB_ENTERPRISE_TOKEN',
  'GITLAB_TOKEN',
  'LLM_API_KEY',
  'LLM_AUTH_TOKEN',
];

/** Ways to a secret: an agent that signs, and programs that answer a question for a password. */
const WAYS = ['GIT_ASKPASS', 'SSH_AGENT_PID', 'SSH_ASKPASS', 'SSH_AUTH_SOCK', 'VSCODE_GIT_IPC_HANDLE'];
/** Sessions of password managers, and passwords whose names have none of the words below. */
const SESSION = /^(?:BW_SESSION|LPASS_AGENT_\w+|OP_SESSION(?:_\w+)?|SSHPASS)$/i;
/** Whatever a cloud's sign-in reads. */
const CLOUD = /^(?:ALICLOUD|ARM|AWS|AZURE|CLOUDSDK|DIGITALOCEAN|GCLOUD|GCP|GOOGLE|HCLOUD|VAULT)_/i;
/** A word of the name that says what the value is, at the end of the name or before an underscore. */
const SECRET_WORD = /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY)S?(?=_|$)/i;
const SECRET_ENDING = /_(?:AUTH|COOKIE|DSN|JWT|KEY|PAT|PASS|PWD)$|_AUTH_CONFIG$|^JWT$/i;

/**
 * Whether a variable's name says that it holds a secret, or leads to one, or its value has the form of one. It is better
 * to take one too many from a program, which then says what it lacks, than to hand a secret to a branch that no one has
 * merged.
 */
export function isSecretVariable(name: string, value: string): boolean {
  return isSecretName(name) || containsSecret(value);
}

function isSecretName(name: string): boolean {
  return (
    FORGE_AND_MODEL_TOKENS.includes(name) ||
    WAYS.includes(name) ||
    SESSION.test(name) ||
    CLOUD.test(name) ||
    SECRET_WORD.test(name) ||
    SECRET_ENDING.test(name)
  );
}

/** Names of variables, or `all`. A name that ends with `*` means all that begin so. */
export type PassedNames = 'all' | readonly string[];

/** Whether a program that runs a branch's code gets the variable. */
export function isPassed([name, value]: readonly [string, string], passed: PassedNames): boolean {
  if (passed === 'all' || !isSecretVariable(name, value)) return true;
  return passed.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
}
