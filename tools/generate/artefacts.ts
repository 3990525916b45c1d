import { SERVICES } from '@plat/contracts/core';
import { renderStates } from '@plat/lifecycle';
import { CLIENT_FOLDER, clientFiles } from './api-client/files';
import type { Artefact } from './artefact';
import { renderCommandReference } from './command-reference';
import { renderEdgeRoutes } from './edge-routes';
import { renderErrors } from './errors-page';
import { openApiDocument } from './openapi/document';
import { dumpSchema } from './schema/dump';
import { controllersOf } from './services';

/** Everything that is derived, in the order in which it is made. */
export function artefacts(root: string): Artefact[] {
  return [
    { name: 'states', render: () => ({ 'docs/states.md': renderStates() }) },
    { name: 'errors', render: () => ({ 'docs/errors.md': renderErrors() }) },
    { name: 'edge routes', render: () => ({ 'deploy/edge/routes.conf': renderEdgeRoutes() }) },
    { name: 'OpenAPI', folder: 'docs/openapi', render: renderDocuments },
    { name: 'client', folder: CLIENT_FOLDER, render: clientFiles },
    { name: 'commands', render: async () => ({ 'docs/cli.md': await renderCommandReference(root) }) },
    { name: 'schema', render: async () => ({ 'libs/database/schema.sql': await dumpSchema(root) }) },
  ];
}

function renderDocuments(): Record<string, string> {
  const document = (service: (typeof SERVICES)[number]) => openApiDocument(service, controllersOf(service));
  return Object.fromEntries(
    SERVICES.map((service) => [
      `docs/openapi/${service}.json`,
      `${JSON.stringify(document(service), null, 2)}\n`,
    ]),
  );
}
