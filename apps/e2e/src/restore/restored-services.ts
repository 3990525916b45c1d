import { type ServiceName, SERVICES } from '@plat/contracts/core';
import { LOGIN_ROLES } from '@plat/database';
import { examineDatabase, type Violation } from '@plat/invariants';
import { type ServiceProcess, startService, type TestService } from '@plat/testing';

/** The route that each service is asked for; it answers from the rows of before the backup. */
const QUESTIONS: Record<ServiceName, string> = {
  reviews: '/v1/reviews',
  builds: '/v1/builds',
  releases: '/v1/releases',
  audit: '/v1/audit-events',
  platform: '/v1/environments',
};

/** An answer of a service: its status and body. */
export type Answers = Record<ServiceName, { status: number; body: unknown }>;

/** Asks the five services at an address each. Of the trail only the form is compared, since each question adds a row. */
export async function askServices(
  urlOf: (name: ServiceName) => string,
  authorization: string,
): Promise<Answers> {
  const answers = await Promise.all(
    SERVICES.map(async (name) => {
      const response = await fetch(urlOf(name) + QUESTIONS[name], { headers: { authorization } });
      const body = (await response.json()) as unknown;
      return [
        name,
        { status: response.status, body: name === 'audit' ? Array.isArray(body) : body },
      ] as const;
    }),
  );
  return Object.fromEntries(answers) as Answers;
}

/** The state of a restored database on which the five services continue. */
export interface GoneOn {
  /** The status of `/readyz` of each service. */
  ready: number[];
  answers: Answers;
  /** The status of the report of a build for a review that was OPEN. */
  reported: number;
  /** The status of that review afterwards. */
  status: string;
  broken: Violation[];
}

/**
 * Starts the five services on a restored database, asks each, and reports a build for a review of the backup.
 * The services are built already.
 */
export async function goOn(
  url: string,
  { service, password }: { service: TestService; password: string },
): Promise<GoneOn> {
  const running: Partial<Record<ServiceName, ServiceProcess>> = {};
  try {
    for (const name of SERVICES) {
      const login = Object.assign(new URL(url), { username: LOGIN_ROLES[name], password }).href;
      running[name] = await startService(name, { DATABASE_URL: login, VERIFIER_ALLOW_LOCAL: 'true' });
    }
    const urlOf = (name: ServiceName): string => running[name]!.url;
    const ready = await Promise.all(
      SERVICES.map(async (name) => (await fetch(`${urlOf(name)}/readyz`)).status),
    );
    const authorization = await service.bearer('alice');
    const answers = await askServices(urlOf, authorization);
    return {
      ready,
      answers,
      ...(await reportBuild(urlOf, authorization)),
      broken: await examineDatabase(url),
    };
  } finally {
    for (const { child, exited } of Object.values(running)) {
      child.kill();
      await exited;
    }
  }
}

async function reportBuild(urlOf: (name: ServiceName) => string, authorization: string) {
  const headers = { authorization, 'content-type': 'application/json' };
  const listed = await fetch(`${urlOf('reviews')}/v1/reviews?status=OPEN`, { headers });
  const [{ reviewId }] = (await listed.json()) as [{ reviewId: string }];
  const body = JSON.stringify(BUILD);
  const reported = await fetch(`${urlOf('builds')}/v1/reviews/${reviewId}/builds`, {
    method: 'POST',
    headers,
    body,
  });
  const review = await fetch(`${urlOf('reviews')}/v1/reviews/${reviewId}`, { headers });
  const { status } = (await review.json()) as { status: string };
  return { reported: reported.status, status };
}

/** A report that makes an OPEN review READY. */
export const BUILD = { kind: 'RECORDED', successful: true, commitId: 'a'.repeat(40), version: '1.0.0' };
