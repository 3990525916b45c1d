/**
 * Trims GitHub's published description to what the client calls, for the proxy that validates its calls.
 * Usage: node tools/peers/prism/trim-description.mjs <generated/api.github.com.json of @octokit/openapi>
 * Keeps requests as they are. Of answers, keeps only the fields that the client or its double knows, and requires none
 * of them. The double answers no others.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const OUTPUT = join(import.meta.dirname, '../../../libs/testing/src/forge/forge-api.json');
const REPOSITORY = '/repos/{owner}/{repo}';
const CALLS = [
  'GET /apps/{app_slug}',
  'GET /orgs/{org}/rulesets/{ruleset_id}',
  `GET ${REPOSITORY}/collaborators/{username}/permission`,
  `GET ${REPOSITORY}/compare/{basehead}`,
  `GET ${REPOSITORY}/issues/{issue_number}/comments`,
  `POST ${REPOSITORY}/issues/{issue_number}/comments`,
  `GET ${REPOSITORY}/pulls`,
  `PATCH ${REPOSITORY}/pulls/{pull_number}`,
  `GET ${REPOSITORY}/rules/branches/{branch}`,
  `GET ${REPOSITORY}/rulesets/rule-suites`,
  `GET ${REPOSITORY}/rulesets/{ruleset_id}`,
  `POST ${REPOSITORY}/statuses/{sha}`,
  `GET ${REPOSITORY}/tags`,
];
const FIELDS = new Set(
  `actor_id actor_name actor_type after_sha base before_sha body bypass_actors bypass_mode commit commits conditions
  contents context current_user_can_bypass description enforcement full_name head html_url id login message name number
  parameters permission permissions pushed_at ref repo result rules ruleset_id sha slug source source_type state status
  target target_url total_commits type url user`.split(/\s+/),
);
/** Keys of texts for readers, which a validator does not need. */
const TEXTS = ['description', 'summary', 'title', 'example', 'examples', 'externalDocs'];
const REFUSAL = {
  description: 'a refusal',
  content: {
    'application/json': { schema: { type: 'object', properties: { message: { type: 'string' } } } },
  },
};

const document = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'));
const paths = {};
for (const [method = '', path = ''] of CALLS.map((call) => call.split(' '))) {
  paths[path] = {
    ...paths[path],
    [method.toLowerCase()]: operation(document.paths[path][method.toLowerCase()]),
  };
}
const { openapi, info } = document;
const about = {
  title: "What the client calls of GitHub's REST API",
  version: info.version,
  license: info.license,
};
await writeFile(OUTPUT, `${JSON.stringify({ openapi, info: about, paths }, null, 2)}\n`);

function operation({ operationId, parameters = [], requestBody, responses }) {
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, answer]) => [status, trimmedAnswer(resolved(answer))]);
  return {
    operationId,
    parameters: trimmed(parameters),
    requestBody: requestBody && trimmed(requestBody),
    responses: { ...Object.fromEntries(answers), default: REFUSAL },
  };
}

function trimmedAnswer({ description, content }) {
  const json = content?.['application/json'];
  return {
    description,
    content: json && { 'application/json': { schema: trimmed(json.schema, FIELDS) } },
  };
}

/** Resolves references and removes texts. @param fields if given, keeps no other fields and requires none */
function trimmed(node, fields) {
  if (Array.isArray(node)) return node.map((each) => trimmed(each, fields));
  if (node === null || typeof node !== 'object') return node;
  if (node.$ref) return trimmed(resolved(node), fields);
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !isText(key, value) && !(fields && key === 'required'))
      .map(([key, value]) => [
        key,
        key === 'properties' ? properties(value, fields) : trimmed(value, fields),
      ]),
  );
}

/** Whether a key holds a text. A property of a schema may have the same name, but has a type. */
function isText(key, value) {
  return key.startsWith('x-') || (TEXTS.includes(key) && !value?.type);
}

function properties(all, fields) {
  const known = Object.entries(all).filter(([name]) => !fields || fields.has(name));
  return Object.fromEntries(known.map(([name, schema]) => [name, trimmed(schema, fields)]));
}

function resolved(node) {
  if (!node.$ref) return node;
  return node.$ref
    .slice('#/'.length)
    .split('/')
    .reduce((at, key) => at[key.replaceAll('~1', '/')], document);
}
