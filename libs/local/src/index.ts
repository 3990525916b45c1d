export { boundConnections, UNANSWERED_MAX } from './connection-bounds';
export {
  type FileLock,
  FileLockHeld,
  holdFileLock,
  type PatientWait,
  removeLeftOvers,
  withFileLock,
} from './file-lock';
export { findFreePort } from './free-port';
export { findJsonShapeFault, type JsonBounds, type JsonShapeFault } from './json-shape';
export { nearest } from './nearest';
export { makePrivateFolder, writeInPrivateFolder, writePrivateFile } from './private-file';
export { isAlive, mayBeAlive } from './process-alive';
export { identify, isThere, type ProcessIdentity } from './process-identity';
export { processSpace } from './process-space';
export { refuseProtocolSwitch } from './protocol-switch';
export { proxyVariables } from './proxy-config';
export { proxyOf, type ProxyVariables } from './proxy-of';
export { type FileBounds, FileRefused, readRegularFile, resolveInside } from './regular-file';
export { withTimeLimit } from './time-limit';
export { readValueFile } from './value-file';
export { workspaceRoot } from './workspace-root';
