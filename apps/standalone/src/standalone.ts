import { access, constants, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openConsoleFiles } from '@plat/console/files';
import { applyDirectory, type Directory } from '@plat/database';
import type { Log, LogOutput } from '@plat/service';
import type { StartArguments } from './arguments';
import type { CleanUp } from './clean-up';
import { lockDataDir } from './data-lock';
import { type OwnDatabase, prepareDatabase, startPostgres } from './database';
import { developmentAccounts } from './development/accounts';
import { developmentDirectory } from './development/directory';
import { type Front, listen } from './front';
import { createIssuers, issuerAddresses, type Issuers } from './issuer/issuers';
import { openLog } from './log-file';
import { writeReadyFile } from './ready-file';
import { expectAnswers, readyReport } from './ready-report';
import { createReference } from './reference/reference';
import { openServices } from './services';
import { keepSigningKeys } from './signing-key';
import { welcomeText } from './welcome';

/** A running service. */
export interface Standalone {
  /** The address, the accounts and the next command. */
  welcome: string;
  /** Rejects if the database ends without having been stopped. */
  failed: Promise<never>;
}

/**
 * Starts everything on one port. Each thing opened is entered in `cleanUp`, so that the caller can close
 * it all, also after a failure half-way; `interrupt` ends the start between two steps.
 *
 * @throws Error with a text for a person: directory or port in use, damaged data, …
 */
export async function startStandalone(
  { port, dataDir, readyFile }: StartArguments,
  cleanUp: CleanUp,
  interrupt: AbortSignal,
): Promise<Standalone> {
  await takeDataDir(dataDir, cleanUp);
  if (readyFile) await rm(readyFile, { force: true });
  const front = await openFront(port, cleanUp);
  const logFile = join(dataDir, 'plat.log');
  const { log, output } = await openLog(logFile, cleanUp);
  interrupt.throwIfAborted();

  const cluster = await startPostgres(dataDir);
  cleanUp.add(() => cluster.stop());
  interrupt.throwIfAborted();
  const database = await prepareDatabase(cluster);
  const directory = directoryAt(front.baseUrl);
  await applyDirectory(database.ownerUrl, directory);
  interrupt.throwIfAborted();

  const accounts = developmentAccounts(directory);
  const issuers = await createIssuers({
    baseUrl: front.baseUrl,
    dataDir: join(dataDir, 'issuers'),
    audience: front.baseUrl,
    sharedAccounts: accounts.filter(({ home }) => home === 'shared'),
    soloAccounts: accounts.filter(({ home }) => home === 'solo'),
    onFault: (error) => log.error({ err: error }, 'issuer fault'),
  });
  await serve({ front, database, issuers, ...(await keepSigningKeys(dataDir)), log, output, cleanUp });
  interrupt.throwIfAborted();

  const report = await readyReport({
    apiUrl: front.baseUrl,
    databaseUrl: database.ownerUrl,
    issuers,
    directory,
    accounts,
  });
  await expectAnswers(report);
  if (readyFile) {
    await writeReadyFile(readyFile, report);
    cleanUp.add(() => rm(readyFile, { force: true }));
  }
  const failed = cluster.exited.then(() => {
    throw new Error(`PostgreSQL has ended unexpectedly; ${join(dataDir, 'postgres.log')} says why.`);
  });
  return { welcome: welcomeText({ apiUrl: front.baseUrl, dataDir, logFile, accounts }), failed };
}

async function takeDataDir(dataDir: string, cleanUp: CleanUp): Promise<void> {
  try {
    // Other users may enter, because PostgreSQL may have to run as another user. Secret files have modes of their own.
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await access(dataDir, constants.W_OK);
  } catch (cause) {
    throw new Error(`The data directory ${dataDir} cannot be used: ${(cause as Error).message}`, { cause });
  }
  const lock = await lockDataDir(dataDir);
  cleanUp.add(() => lock.release());
}

async function openFront(port: number, cleanUp: CleanUp): Promise<Front> {
  const front = await listen(port);
  cleanUp.add(() => front.close());
  return front;
}

function directoryAt(baseUrl: string): Directory {
  return developmentDirectory({ ...issuerAddresses(baseUrl), audience: baseUrl });
}

interface Served {
  front: Front;
  database: OwnDatabase;
  issuers: Issuers;
  receiptKey: string;
  ledgerKey: string;
  log: Log;
  output: LogOutput;
  cleanUp: CleanUp;
}

async function serve({ front, database, issuers, log, output, cleanUp, ...keys }: Served): Promise<void> {
  const services = await openServices({
    baseUrl: front.baseUrl,
    issuer: issuers.issuer,
    loginUrls: database.loginUrls,
    ...keys,
    server: front.server,
    log,
    output,
    cleanUp,
  });
  const reference = createReference();
  // Its build writes the console's page next to this program.
  const console = await openConsoleFiles(join(__dirname, 'console'));
  front.open({
    claim: (req, res) => reference(req, res) || console(req, res) || issuers.handle(req, res),
    services,
    onFault: (err) => log.error({ err }, 'a listener failed'),
  });
  // Added last, so closed first: requests in flight end before the services that answer them.
  cleanUp.add(() => front.close());
}
