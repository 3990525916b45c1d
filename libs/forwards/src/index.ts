export { type Channel, channelEnd, CHANNELS } from './channel';
export { moveFromCache } from './earlier-client';
export {
  DAEMON_PROGRAM,
  forwardArgs,
  type ForwardStart,
  type ForwardTarget,
  isDaemon,
  isForward,
  matchOf,
  targetsOf,
} from './forward-argv';
export {
  forwardFiles,
  type KeptForward,
  listKeptForwards,
  pathsOf,
  reclaimForwards,
  removeForwardFiles,
} from './forward-files';
export { applyCap, ForwardLog, LOG_BYTES_MAX } from './forward-log';
export {
  type ForwardRecord,
  isSameForward,
  logPathOf,
  olderLogOf,
  type ParsedRecord,
  parseRecord,
  recordPath,
} from './forward-record';
export { type ForwardStatus, forwardStatus } from './forward-status';
export { type LogEntry, type LogEvent } from './log-entry';
export { holdersOfPort, type PortHolder } from './port-holders';
export { probe, type ProbeResult } from './probe';
export { readRecord, withChannelLock, writeRecord } from './record-files';
export { readProcess, type RunningProcess } from './running-process';
export { isForwardTo, stopForward } from './stop-forward';
