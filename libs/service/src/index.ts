export type { ListAnswer } from './answers/list-answer';
export { answerList, WIDE_PAGE_ROWS } from './answers/list-answer';
export type { Caller } from './authentication/caller';
export { Identities } from './authentication/identity';
export { Permissions } from './authentication/permissions';
export { variablesOf } from './configuration/check-config';
export {
  CertificateBundle,
  ConfigError,
  Flag,
  readConfig,
  SecretText,
  ServiceConfig,
} from './configuration/config';
export { fileVariables, FromFile, ReadAtStart, startVariables } from './configuration/config-files';
export { Secret } from './configuration/secret';
export type { Log } from './log/log';
export { createLog } from './log/log';
export { LogFile } from './log/log-file';
export { LogOutput } from './log/log-output';
export { RequestBody } from './request/request-body';
export { RequestQuery } from './request/request-query';
export type { ApplicationOptions, ComposedService } from './running/application';
export { createApplication, HTTP_OPTIONS } from './running/application';
export { registerGauge } from './running/metrics';
export { PartitionClock } from './running/partition-clock';
export type { ServiceDefinition } from './running/run-service';
export { runService } from './running/run-service';
export { ServiceModule } from './running/service.module';
export type { ServiceContext } from './running/service-context';
export { openServiceContext } from './running/service-context';
export { registerSharedFigures } from './running/shared-figures';
export { CurrentCaller } from './steps/current-caller';
export type { DeclaredRoute } from './steps/declared-route';
export { DECLARED_ROUTE } from './steps/declared-route';
export { PathId } from './steps/path-id.guard';
export { Route } from './steps/route';
export { changesByTime } from './waiting/change-by-time';
