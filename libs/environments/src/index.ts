export { GATEWAY_TOKEN_KEY } from './agent-variables';
export type { EnvConfig } from './config/env-config';
export type { GitCredentialKind, PlatformBlock } from './config/other-configs';
export { parseDuration } from './duration';
export { SERVICE_PORT_DEFAULT, servicePort, targetIpFault } from './exposure/address';
export { brokerToken, dns01Faults, type Dns01Flags } from './exposure/dns01';
export {
  type ExposureInput,
  type ExposurePlan,
  type ExposureResult,
  exposureResult,
  hostnameFault,
  planExposure,
  serviceFault,
} from './exposure/exposure-plan';
export type { Manifest } from './exposure/manifests';
export {
  type ExposingPlatform,
  exposingPlatform,
  platformFaults,
  type PlatformOverrides,
} from './exposure/platform';
export { type DnsPath, type KubectlStep, planRecord, type RecordPlan } from './exposure/record-plan';
export { describeFault, type Fault } from './fault';
export { contextTokens, defaultModel } from './gateway';
export {
  type IdleFacts,
  type IdleMarker,
  type IdlePolicy,
  idlePolicy,
  type IdleVerdict,
  judgeIdle,
} from './idle';
export { IDLE_TIMEOUT_DEFAULT } from './idle-variables';
export { LAST_STOP, type LastStop, lastStop } from './last-stop';
export {
  type EnvironmentName,
  isLabel,
  labelFault,
  MCP_TOKEN_KEY,
  nameFaults,
  namespaceOf,
  newNameFaults,
  type RuntimeNames,
  runtimeNames,
  splitNamespace,
} from './names';
export { IN_CLUSTER } from './place-variables';
export {
  BLOCK_START_DEFAULT,
  lowestFreeBlock,
  type Overlap,
  overlappingBlocks,
  type PlacedEnvironment,
  type PortBlock,
  portBlock,
} from './port-blocks';
export { resolveRegion } from './region';
export { type ContainerRegistry, isContainerRegistry, isRegistry } from './registry';
export { renderValuesSchema } from './render-values-schema';
export { renderVariables } from './render-variables';
export { type Runtime, runtimeImage, type RuntimeValues, runtimeValues } from './runtime-values';
export type { Pod, PodVariable, Reader, SecretRef, Variable } from './variable';
export {
  podVariables,
  READ_BY_CLIENT,
  readVariables,
  type SetVariable,
  type Texts,
  VARIABLE_TABLES,
  type VariableName,
  type VariableValues,
} from './variables';
export { CLOUD_PROVIDERS, ENVIRONMENT_TYPES } from './words';
export { isWithin, parseWorkingHours, type WorkingHours } from './working-hours';
