import { defined } from '@plat/contracts/core';
import { clusterStep } from './cluster/step';
import { driveStep } from './drive/step';
import { faultsStep } from './faults/step';
import { historiesStep } from './histories/step';
import { interleavingsStep, mutantsStep } from './interleavings/step';
import { landingsStep } from './landings/step';
import { ledgerStep } from './ledger/step';
import { programStep } from './program-step';
import { repositoriesStep } from './repositories/step';
import { specStep } from './spec-step';
import type { NightlyStep } from './step';
import { triplesStep } from './triples/step';
import { undoneStep } from './undone/step';

/** The steps by name, in the order in which they run. */
export const steps: Readonly<Record<string, NightlyStep>> = {
  histories: historiesStep,
  triples: triplesStep,
  landings: landingsStep,
  merges: specStep({
    summary:
      '1,000 random merges, with renames too, landed as git makes them or on a wrong base: each verdict right',
    project: 'libs/verifier',
    spec: 'judge-content.property',
    environment: ({ runs = 1_000, seed = Date.now() % 2 ** 31 }) => ({
      PROPERTY_MERGES: `${runs}`,
      PROPERTY_SEED: `${seed}`,
    }),
  }),
  ledger: ledgerStep,
  repositories: repositoriesStep,
  undone: undoneStep,
  interleavings: interleavingsStep,
  mutants: mutantsStep,
  faults: faultsStep,
  cluster: clusterStep,
  // CI leaves out what has passed and has not changed.
  peers: programStep(
    "all tests against other people's servers, those too that CI leaves out, on PostgreSQL 15 to 18",
    ['run.mjs', 'test:peers'],
    { PLAT_POSTGRESQL_VERSIONS: '15,16,17' },
  ),
  nodes: programStep(
    'npm run demo and npm test in a fresh clone with an empty home, on each supported Node',
    ['nightly/nodes/main.mjs'],
  ),
  sleep: specStep({
    summary:
      'a port forward that is stopped for three minutes: its connections go on, and the next one works',
    project: 'apps/portforward',
    spec: 'daemon.spec',
    environment: () => ({ FORWARD_SLEEP_SECONDS: '180' }),
  }),
  requests: specStep({
    summary: '50,000 generated requests to every route: no 500, every body in the shape of the contract',
    project: 'apps/e2e',
    spec: 'generated-requests',
    environment: ({ runs = 50_000, seed }) =>
      defined({ GENERATED_REQUESTS: `${runs}`, GENERATED_SEED: seed?.toString() }),
  }),
  drive: driveStep,
  plans: specStep({
    summary: 'the plans of the audit trail over 1,000,000 rows: each promised filter has its index',
    project: 'apps/audit',
    spec: 'audit-event.db',
    environment: ({ runs = 1_000_000 }) => ({ AUDIT_ROWS: `${runs}` }),
  }),
};
