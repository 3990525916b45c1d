import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defined } from '@plat/contracts/core';

type Json = Record<string, unknown>;

/** A call as it arrived, without its query. */
interface SeenCall {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Json;
}

interface Reply {
  status?: number;
  body: unknown;
}

interface Pull {
  number: number;
  sourceBranch: string;
  targetBranch: string;
  sha: string;
  state: 'open' | 'closed';
  comments: string[];
}

/** The token that the double accepts. */
export const FORGE_TOKEN = 'gho_test';
/** The remote of the repository that a double has by default. */
export const FORGE_REMOTE = 'https://github.com/acme/app.git';

/** The id that the double gives every request. */
export const FORGE_REQUEST_ID = '0401:5B1F:0C9A2E11';

/** The page size, which is so small that listings have several pages. */
const PAGE_SIZE_MAX = 2;

/** A forge with one repository, which answers in the shapes of GitHub's published API and keeps what is written. */
export class ForgeDouble {
  readonly calls: SeenCall[] = [];
  readonly pulls: Pull[] = [];
  readonly statuses: Json[] = [];
  /** Permission on the repository, by login. */
  readonly collaborators = new Map<string, { id: number; permission: string }>();
  readonly apps = new Map<string, { id: number; permissions: Record<string, string> }>();
  readonly rulesets = new Map<number, Json>();
  /** Ids of the rulesets that are active on `main`. */
  readonly governing: number[] = [];
  readonly ruleSuites: Json[] = [];
  readonly tags: Array<{ name: string; sha: string }> = [];
  /** Commits between two, by `<before>...<after>`. */
  readonly comparisons = new Map<string, string[]>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
    /** Owner and repository. */
    private readonly repository: string,
  ) {}

  static async start(repository = 'acme/app'): Promise<ForgeDouble> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const double = new ForgeDouble(server, `http://127.0.0.1:${port}`, repository);
    server.on('request', (request, response) => {
      void readCall(request).then((call) => {
        const {
          status = 200,
          body,
          link,
        } = double.paged(double.reply(call, request.headers.authorization), call);
        const headers = {
          'content-type': 'application/json; charset=utf-8',
          'x-github-request-id': FORGE_REQUEST_ID,
          link,
        };
        response.writeHead(status, defined(headers));
        response.end(JSON.stringify(body));
      });
    });
    return double;
  }

  /** The calls that wrote, as `METHOD path`. */
  get writes(): string[] {
    return this.calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
  }

  openPull(sourceBranch: string, sha: string, targetBranch = 'main'): Pull {
    const number = this.pulls.length + 1;
    const pull: Pull = { number, sourceBranch, targetBranch, sha, state: 'open', comments: [] };
    this.pulls.push(pull);
    return pull;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private reply(call: SeenCall, authorization: string | undefined): Reply {
    this.calls.push(call);
    if (authorization !== `token ${FORGE_TOKEN}`) {
      return { status: 401, body: { message: 'Bad credentials' } };
    }
    const base = `/repos/${this.repository}/`;
    const [area = '', ...rest] = call.path.replace(base, '').split('/');
    const found = call.path.startsWith(base) ? this.inRepository(area, rest, call) : this.besides(call.path);
    return found ?? { status: 404, body: { message: 'Not Found' } };
  }

  private inRepository(area: string, rest: string[], call: SeenCall): Reply | undefined {
    const [first = ''] = rest;
    switch (area) {
      case 'pulls':
        return first === ''
          ? { body: this.openPulls(call.query) }
          : this.changePull(Number(first), call.body);
      case 'issues':
        return this.comments(Number(first), call);
      case 'statuses':
        this.statuses.push({ sha: first, ...call.body });
        return { status: 201, body: { id: this.statuses.length, ...call.body } };
      case 'collaborators':
        return this.permission(first);
      case 'rules':
        return { body: this.governing.map((id) => ({ type: 'pull_request', ruleset_id: id })) };
      case 'rulesets':
        return first === 'rule-suites' ? { body: this.suites(call.query) } : this.ruleset(Number(first));
      case 'tags':
        return { body: this.tags.map(({ name, sha }) => ({ name, commit: { sha } })) };
      case 'compare':
        return this.comparison(first);
      default:
        return undefined;
    }
  }

  private besides(path: string): Reply | undefined {
    const [, kind, name = '', , id] = path.split('/');
    if (kind === 'orgs') return this.ruleset(Number(id));
    const app = kind === 'apps' ? this.apps.get(name) : undefined;
    return app && { body: { slug: name, ...app } };
  }

  private openPulls(query: URLSearchParams): Json[] {
    const matching = this.pulls.filter(
      ({ state, sourceBranch, targetBranch }) =>
        state === query.get('state') &&
        query.get('head') === `${this.repository.split('/')[0]}:${sourceBranch}` &&
        query.get('base') === targetBranch,
    );
    return matching.map(({ number, sourceBranch, targetBranch, sha }) => ({
      number,
      html_url: `https://github.com/${this.repository}/pull/${number}`,
      state: 'open',
      head: { ref: sourceBranch, sha, repo: { full_name: this.repository } },
      base: { ref: targetBranch, repo: { full_name: this.repository } },
    }));
  }

  private changePull(number: number, body: Json): Reply | undefined {
    const pull = this.pulls.find((candidate) => candidate.number === number);
    if (pull && body.state === 'closed') pull.state = 'closed';
    return pull && { body: { number, state: pull.state } };
  }

  private comments(number: number, { method, body }: SeenCall): Reply | undefined {
    const pull = this.pulls.find((candidate) => candidate.number === number);
    if (!pull) return undefined;
    if (method !== 'POST') return { body: pull.comments.map((text, id) => ({ id, body: text })) };
    pull.comments.push(String(body.body));
    return { status: 201, body: { id: pull.comments.length, body: body.body } };
  }

  private permission(login: string): Reply | undefined {
    const known = this.collaborators.get(login);
    return known && { body: { permission: known.permission, user: { login, id: known.id } } };
  }

  private ruleset(id: number): Reply | undefined {
    const ruleset = this.rulesets.get(id);
    return ruleset && { body: { id, ...ruleset } };
  }

  private suites(query: URLSearchParams): Json[] {
    return this.ruleSuites.filter(
      ({ ref, result }) => ref === query.get('ref') && result === query.get('rule_suite_result'),
    );
  }

  private comparison(basehead: string): Reply | undefined {
    const shas = this.comparisons.get(decodeURIComponent(basehead));
    const commits = shas?.map((sha) => ({ sha }));
    return commits && { body: { url: `${this.url}/compare`, total_commits: commits.length, commits } };
  }

  /** Cuts a listing, or a comparison's commits, to the page in the query, and adds the address of the next page. */
  private paged({ status, body }: Reply, { path, query }: SeenCall): Reply & { link?: string } {
    const comparison = isComparison(body) ? body : undefined;
    const rows = comparison?.commits ?? body;
    if (!Array.isArray(rows)) return { status, body };
    const number = Number(query.get('page') ?? 1);
    const page: unknown[] = rows.slice((number - 1) * PAGE_SIZE_MAX, number * PAGE_SIZE_MAX);
    const next = new URLSearchParams({ ...Object.fromEntries(query), page: String(number + 1) });
    const link = `<${this.url}${path}?${next.toString()}>; rel="next"`;
    return {
      status,
      body: comparison ? { ...comparison, commits: page } : page,
      link: rows.length > number * PAGE_SIZE_MAX ? link : undefined,
    };
  }
}

function isComparison(body: unknown): body is { commits: unknown[] } {
  return typeof body === 'object' && body !== null && 'commits' in body;
}

async function readCall(request: IncomingMessage): Promise<SeenCall> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  return {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    body: text === '' ? {} : (JSON.parse(text) as Json),
  };
}
