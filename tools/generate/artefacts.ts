import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICES } from '@plat/contracts/core';
import { renderValuesSchema, renderVariables } from '@plat/environments';
import { renderEnvConfig, renderEnvConfigSchema } from '@plat/environments/config';
import { renderStates } from '@plat/lifecycle';
import { goldenRuntimeCases } from '../deployment/chart/runtime-cases';
import { CLIENT_FOLDER, clientFiles } from './api-client/files';
import type { Artefact } from './artefact';
import { renderClientErrors } from './client-errors-page';
import { renderCommandReference } from './command-reference';
import { renderDirectoryPage, renderDirectorySchema } from './directory-page';
import { renderEdgeRoutes, renderEdgeUpstreams } from './edge-routes';
import { renderErrors } from './errors-page';
import { formatFiles } from './format-files';
import { openApiDocument } from './openapi/document';
import { renderChartRoutes } from './plat-chart/routes';
import { renderPlatValuesSchema } from './plat-chart/values-schema';
import { renderRoles } from './roles-page';
import { renderMigrations } from './schema/migrations';
import { readCatalogue } from './schema/read-catalogue';
import { controllersOf } from './services';

/** Values of the golden cases of the runtime chart; the folder above has the rendered objects. */
const CASES_FOLDER = 'deploy/charts/golden/values';

/** All derived files, in the order in which they are made, formatted. */
export function artefacts(root: string): Artefact[] {
  return unformatted(root).map((artefact) => ({
    ...artefact,
    render: async () => formatFiles(await artefact.render()),
  }));
}

function unformatted(root: string): Artefact[] {
  return [
    { name: 'states', render: () => ({ 'docs/states.md': renderStates() }) },
    {
      name: 'variables',
      render: () => ({
        'docs/variables.md': renderVariables(),
        'docs/environment-config.md': renderEnvConfig(),
        'docs/environment-config.schema.json': renderEnvConfigSchema(),
      }),
    },
    {
      name: 'chart',
      render: () => ({ 'deploy/charts/runtime/values.schema.json': renderValuesSchema() }),
    },
    { name: 'chart of the services', render: () => platChart(root) },
    { name: 'cases of the chart', folder: CASES_FOLDER, render: renderCases },
    {
      name: 'errors',
      render: async () => ({ 'docs/errors.md': `${renderErrors()}\n${await renderClientErrors(root)}` }),
    },
    {
      name: 'directory file',
      render: () => ({
        'docs/directory-file.md': renderDirectoryPage(),
        'docs/directory-file.schema.json': renderDirectorySchema(),
      }),
    },
    { name: 'roles', render: () => ({ 'docs/roles.md': renderRoles() }) },
    {
      name: 'edge routes',
      render: () => ({
        'deploy/edge/routes.conf': renderEdgeRoutes(),
        'deploy/edge/upstreams.conf': renderEdgeUpstreams(),
      }),
    },
    { name: 'OpenAPI', folder: 'docs/openapi', render: renderDocuments },
    { name: 'client', folder: CLIENT_FOLDER, render: clientFiles },
    { name: 'commands', render: async () => ({ 'docs/cli.md': await renderCommandReference(root) }) },
    { name: 'migrations', render: () => renderMigrations(root) },
    { name: 'logins', render: () => renderCatalogue(root) },
  ];
}

/** Renders the files that the chart of the services has from elsewhere: a chart holds all that it reads. */
async function platChart(root: string): Promise<Record<string, string>> {
  const observability = (name: string) => readFile(join(root, 'deploy/observability', name), 'utf8');
  return {
    'deploy/charts/plat/values.schema.json': renderPlatValuesSchema(),
    'deploy/charts/plat/files/routes.json': renderChartRoutes(),
    'deploy/charts/plat/files/rules.yaml': await observability('rules.yaml'),
    'deploy/charts/plat/files/dashboard.json': await observability('dashboard.json'),
  };
}

function renderCases(): Record<string, string> {
  const cases = Object.entries(goldenRuntimeCases());
  return Object.fromEntries(
    cases.map(([name, values]) => [`${CASES_FOLDER}/${name}.json`, `${JSON.stringify(values, null, 2)}\n`]),
  );
}

async function renderCatalogue(root: string): Promise<Record<string, string>> {
  const { logins, published } = await readCatalogue(root);
  return {
    'docs/logins.md': logins,
    'libs/database/published.json': published,
  };
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
