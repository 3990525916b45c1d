import { podTroubles } from './pod-troubles';

const UID = 'uid-1';
const waiting = (reason: string, message?: string) => ({
  metadata: { uid: UID },
  status: { containerStatuses: [{ state: { waiting: { reason, message: message ?? 'why' } } }] },
});
const event = (reason: string, message: string, uid = UID) => ({
  reason,
  message,
  involvedObject: { uid },
});
const found = (...pods: object[]) => podTroubles({ pods, events: [] });

describe('what keeps a pod from running', () => {
  it.each([
    ['ErrImagePull', 'image', false],
    ['ImagePullBackOff', 'image', false],
    ['InvalidImageName', 'image', false],
    ['CreateContainerConfigError', 'missing', false],
    ['RunContainerError', 'crash', false],
    ['CrashLoopBackOff', 'crash', false],
    ['SomethingNew', 'other', true],
  ])('a container that waits for %s', (reason, kind, mends) => {
    expect(found(waiting(reason))).toEqual([{ kind, reason, message: 'why', mends }]);
  });

  it.each(['ContainerCreating', 'PodInitializing'])('%s is a step of every start', (reason) => {
    expect(found(waiting(reason))).toEqual([]);
  });

  it('a container that has just ended is named with its exit code', () => {
    const terminated = { exitCode: 3, reason: 'Error' };
    expect(found({ status: { containerStatuses: [{ state: { terminated } }] } })).toEqual([
      { kind: 'crash', reason: 'Error', message: 'the container ended with 3', mends: false },
    ]);
  });

  it('a pod that no node takes: the cluster may make room', () => {
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: '0/3 nodes',
    };
    expect(found({ status: { conditions: [condition] } })).toEqual([
      { kind: 'other', reason: 'Unschedulable', message: '0/3 nodes', mends: true },
    ]);
  });

  it('a pod that is being deleted says nothing about the next one', () => {
    const pod = waiting('CrashLoopBackOff');
    expect(found({ ...pod, metadata: { uid: UID, deletionTimestamp: '2026-01-01T00:00:00Z' } })).toEqual([]);
  });

  it('a pod that the cluster refuses to make, for a policy or for a quota', () => {
    const refused = (refusal: string) => podTroubles({ refusal, pods: [], events: [] });
    expect(refused('pods "a" is forbidden: violates PodSecurity "restricted:latest"')).toMatchObject([
      { reason: 'FailedCreate', mends: false },
    ]);
    expect(refused('pods "a" is forbidden: exceeded quota: small')).toMatchObject([{ mends: true }]);
  });

  it.each([
    ['MountVolume.SetUp failed for volume "key" : secret "acme-runtime-git" not found', 'missing', false],
    [
      'MountVolume.SetUp failed for volume "key" : references non-existent secret key: token',
      'missing',
      false,
    ],
    ['MountVolume.SetUp failed for volume "key" : object has not yet been registered', 'other', true],
  ])('a volume that cannot be mounted: %s', (message, kind, mends) => {
    const pods = [waiting('ContainerCreating')];
    const events = [
      event('FailedMount', message),
      event('Unhealthy', 'Readiness probe failed'),
      event('FailedMount', 'of another pod', 'uid-2'),
    ];
    expect(podTroubles({ pods, events })).toEqual([{ kind, reason: 'FailedMount', message, mends }]);
  });
});
