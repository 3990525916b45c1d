import { access, constants } from 'node:fs/promises';
import { IN_CLUSTER, namespaceOf } from '@plat/environments';
import { contractVariables } from '../config/contract-variables';
import type { Environment } from '../environment';
import { gitIn } from '../git/git';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { type Check, Skipped, Undecided } from './examination';

/** The runtime pod that the command runs in. */
export interface Pod {
  namespace: string;
  type?: string | undefined;
  /** The project's checkout; undefined if the environment names no repository. */
  checkout?: string | undefined;
  outputs?: string | undefined;
}

/** The builder of images that a build would use. @throws Failure NO_BUILDER */
export type FindBuilder = () => Promise<{ name: string }>;

/** The pod that this process runs in; undefined on any other machine. */
export function podOf(environment: Environment): Pod | undefined {
  const values = contractVariables(environment, [
    'PLAT_TENANT',
    'PLAT_ENVIRONMENT',
    'PLAT_ENV_TYPE',
    'PLAT_KUBERNETES_CONTEXT',
    'PLAT_REPO_PATH',
    'PLAT_OUTPUTS_DIR',
  ]);
  const { PLAT_TENANT: tenant, PLAT_ENVIRONMENT: name } = values;
  if (values.PLAT_KUBERNETES_CONTEXT !== IN_CLUSTER || tenant === undefined || name === undefined) {
    return undefined;
  }
  return {
    namespace: namespaceOf({ tenant, environment: name }),
    type: values.PLAT_ENV_TYPE,
    checkout: values.PLAT_REPO_PATH,
    outputs: values.PLAT_OUTPUTS_DIR,
  };
}

/** Checks the needs of a pod other than a session and a checkout. It has no kubectl, no helm, no kubeconfig and no forwards. */
export function podChecks({ namespace, type, outputs }: Pod, builder: FindBuilder): Check[] {
  return [
    { name: 'pod', look: () => Promise.resolve([namespace, type].filter(Boolean).join(', ')) },
    { name: 'outputs', look: async () => outputs && lookAtOutputs(outputs) },
    { name: 'credential', look: lookAtCredential },
    { name: 'builder', look: () => lookAtBuilder(builder) },
  ];
}

async function lookAtOutputs(folder: string): Promise<string> {
  try {
    await access(folder, constants.W_OK);
    return folder;
  } catch (error) {
    throw new Failure(
      'OUTPUTS_NOT_WRITABLE',
      `PLAT_OUTPUTS_DIR cannot be written: ${(error as Error).message}.`,
      { next: nextStep('mkdir --parents', [folder], ', or free its disk') },
    );
  }
}

/** Whether git has one at all. Whether origin takes it is seen by the check `remote`. */
async function lookAtCredential(): Promise<string> {
  const git = gitIn('/');
  const { stdout } = await git.try([
    'config',
    '--name-only',
    '--get-regexp',
    '^(core.sshcommand|credential\\.)',
  ]);
  const keys = stdout.trim();
  if (keys !== '') return `git signs in by ${keys.replaceAll('\n', ', ')}`;
  throw new Skipped(
    'git has none, so origin must take pushes from here without one; plat init --git-credential, on the machine that deploys, brings one',
  );
}

/** A gate command that builds no image needs none. */
async function lookAtBuilder(find: FindBuilder): Promise<string> {
  try {
    return (await find()).name;
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'NO_BUILDER')) throw error;
    throw new Undecided(`plat build can build no image here. ${error.message}`, {
      next: 'set DOCKER_HOST to a docker daemon and put its client into the image, or use an image with buildah; a gate command and a build script need neither',
    });
  }
}
