import { ENVIRONMENT_TYPES } from '@plat/environments';
import { Flags } from '../terminal/oclif';

/** The flags of `plat init`. Rule H6. */
export const initFlags = {
  type: Flags.option({
    options: ENVIRONMENT_TYPES,
    description: 'What it is; default for a new one: remote-agent',
  })(),
  'kubernetes-context': Flags.string({
    description: "Context of the kubeconfig; default for a new one: the kubeconfig's current one",
    helpValue: '<name>',
  }),
  'repo-url': Flags.string({ description: "The project's git remote", helpValue: '<url>' }),
  'mutable-source': Flags.boolean({
    description: 'The pod has a checkout of its own, cloned from --repo-url',
    allowNo: true,
  }),
  'runtime-version': Flags.string({ description: 'The release to deploy', helpValue: '<version>' }),
  'runtime-image': Flags.string({
    description: 'Image of the pod, in place of the one that registry and version name',
    helpValue: '<image>',
  }),
  'container-registry': Flags.string({
    description: 'A registry and its roles; the given ones replace all',
    helpValue: '<registry>=<role>[,<role>]',
    multiple: true,
  }),
  'git-identity': Flags.string({
    description: 'Who commits in the pod; default: the signed-in user, or as git names you here',
    helpValue: '<name> <<address>>',
  }),
  'git-credential': Flags.string({
    description: 'How the pod signs in to the remote: ssh-key=<file>, token-file=<file> or helper=<helper>',
    helpValue: '<kind>=<value>',
  }),
  'set-default': Flags.boolean({
    description: 'Make it the environment that is meant if none is named',
    default: false,
  }),
  'renew-session': Flags.boolean({
    description: 'Replace the session that the environment has',
    default: false,
  }),
  deploy: Flags.boolean({ description: 'Deploy it at the end', allowNo: true, default: true }),
  yes: Flags.boolean({
    description: 'Change values of an environment that exists',
    default: false,
  }),
  'dry-run': Flags.boolean({ description: 'Make every check and print the steps', default: false }),
};
