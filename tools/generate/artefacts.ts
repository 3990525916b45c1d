import { renderStates } from '@plat/lifecycle';
import type { Artefact } from './artefact';
import { renderEdgeRoutes } from './edge-routes';
import { renderErrors } from './errors-page';
import { dumpSchema } from './schema/dump';

/** Everything that is derived, in the order in which it is made. */
export function artefacts(root: string): Artefact[] {
  return [
    { name: 'states', render: () => ({ 'docs/states.md': renderStates() }) },
    { name: 'errors', render: () => ({ 'docs/errors.md': renderErrors() }) },
    { name: 'edge routes', render: () => ({ 'deploy/edge/routes.conf': renderEdgeRoutes() }) },
    { name: 'schema', render: async () => ({ 'libs/database/schema.sql': await dumpSchema(root) }) },
  ];
}
