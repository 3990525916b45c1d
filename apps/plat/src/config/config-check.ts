import {
  describeFault,
  type EnvConfig,
  type EnvironmentName,
  type Fault,
  namespaceOf,
  overlappingBlocks,
} from '@plat/environments';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { type ConfigDocument, readConfigDocument } from './config-document';
import { checkConfig, fieldOf, parseEnvConfig } from './config-library.js';
import { type ConfigScope, levelOf, readConfiguredNames, scopedConfigPath } from './config-scope';
import { projectFile, readProjectDocument } from './project-file';

type Level = ReturnType<typeof levelOf> | 'project';

/** A fault or a remark, by the file, line and field that it is about. */
export interface ConfigFinding {
  path: string;
  /** Absent if the whole file is meant. */
  line?: number;
  field: string;
  /** As given; absent if the field is missing or may hold a secret. */
  value?: unknown;
  /** The whole sentence, for a person. */
  message: string;
}

/** The findings of one file. */
export interface FileFindings {
  faults: ConfigFinding[];
  /** Keys that this version does not know. */
  warnings: ConfigFinding[];
}

/** Every fault of the configuration. */
export interface ConfigReport extends FileFindings {
  /** The files that were read. */
  files: string[];
}

/** Checks a file that was read against its level's fields. */
export function checkDocument(level: Level, file: ConfigDocument): FileFindings {
  const { faults, unknown } = checkConfig(level, file.content);
  return {
    faults: faults.map(({ path, ...fault }) => finding(file, path, fault)),
    warnings: unknown.map((path) => finding(file, path, { field: fieldOf(path), why: 'is no known field' })),
  };
}

/**
 * The configuration of an environment.
 *
 * @returns warnings about unknown keys, which are kept
 * @throws Failure NOT_CONFIGURED, CONFIG_UNREADABLE, and CONFIG_INVALID, which names every fault
 */
export async function readEnvConfig(
  configFolder: string,
  name: EnvironmentName,
): Promise<{ config: EnvConfig; warnings: ConfigFinding[] }> {
  const file = await readConfigDocument(scopedConfigPath(configFolder, name));
  if (file.text === undefined) {
    throw new Failure(
      'NOT_CONFIGURED',
      `There is no environment ${namespaceOf(name)}: ${file.path} is missing.`,
      { next: nextStep('plat init', [name.tenant], [name.environment]) },
    );
  }
  const { faults, warnings } = checkDocument('environment', file);
  const config = parseEnvConfig(file.content);
  if (config !== undefined) return { config, warnings };
  throw new Failure('CONFIG_INVALID', faults.map(placed).join('; '), {
    details: { faults },
    next: nextStep('correct', [file.path]),
  });
}

/**
 * Checks every file of the configuration, and the project's own if the folder is in a checkout that has one. Blocks of
 * ports that overlap are faults of both environments. Rules H3 and H5.
 */
export async function checkConfiguration(configFolder: string, folder: string): Promise<ConfigReport> {
  const { tenants, environments } = await readConfiguredNames(configFolder);
  const scopes: ConfigScope[] = [{}, ...tenants.map((tenant) => ({ tenant })), ...environments];
  const project = projectFile(folder);
  const places: Array<{ level: Level; path: string; name?: EnvironmentName | undefined }> = [
    ...scopes.map((scope) => ({
      level: levelOf(scope),
      path: scopedConfigPath(configFolder, scope),
      name: scope.environment === undefined ? undefined : (scope as EnvironmentName),
    })),
    ...(project === undefined ? [] : [{ level: 'project' as const, path: project }]),
  ];
  const report: ConfigReport = { files: [], faults: [], warnings: [] };
  const blocks: Block[] = [];
  for (const { level, path, name } of places) {
    try {
      const file = await (level === 'project' ? readProjectDocument(path) : readConfigDocument(path));
      if (file.text === undefined) continue;
      const { faults, warnings } = checkDocument(level, file);
      report.faults.push(...faults);
      report.warnings.push(...warnings);
      const start = file.content.localPortRangeStart;
      if (name && Number.isInteger(start)) {
        blocks.push({ ...name, localPortRangeStart: start as number, file });
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      report.faults.push(unreadableFile(path, error));
    }
    report.files.push(path);
  }
  report.faults.push(...overlaps(blocks));
  return report;
}

/** `path:line: message` */
export function placed({ path, line, message }: ConfigFinding): string {
  return `${path}${line === undefined ? '' : `:${line}`}: ${message}`;
}

type Block = EnvironmentName & { localPortRangeStart: number; file: ConfigDocument };

function overlaps(blocks: readonly Block[]): ConfigFinding[] {
  const field = 'localPortRangeStart';
  return overlappingBlocks(blocks).flatMap(({ environments, starts }) =>
    [0, 1].flatMap((at) => {
      const own = blocks.find((block) => namespaceOf(block) === environments[at]);
      const other = `${environments[1 - at]}, which starts at ${starts[1 - at]}`;
      return own
        ? [finding(own.file, [field], { field, value: starts[at], why: `overlaps the block of ${other}` })]
        : [];
    }),
  );
}

function finding(file: ConfigDocument, path: ReadonlyArray<string | number>, fault: Fault): ConfigFinding {
  const line = file.lineOf(path);
  const { field, value } = fault;
  return {
    path: file.path,
    line,
    field,
    value,
    message: describeFault(fault),
  };
}

function unreadableFile(path: string, failure: Failure): ConfigFinding {
  const line = failure.details?.line;
  return {
    path,
    line: typeof line === 'number' ? line : undefined,
    field: 'the file',
    message: failure.message
      .replace(`Cannot read ${path}: `, '')
      .replace(/^line \d+: /, '')
      .replace(/\.$/, ''),
  };
}
