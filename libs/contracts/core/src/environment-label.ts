/**
 * Label of a namespace with the id that the platform has for the environment. The platform removes no namespace without
 * it, because the name alone does not say whose namespace it is. Rule E3.
 */
export const ENVIRONMENT_LABEL = 'plat.dev/environment-id';
