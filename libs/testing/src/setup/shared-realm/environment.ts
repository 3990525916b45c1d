import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { LegacyFakeTimers, ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { compileOnce, REALM } from './compile-once';
import { watchStorages, WorkerState } from './worker-state';

// Once in a worker, which loads this file once.
compileOnce();
watchStorages();

interface Timer {
  id: number;
  ref(): Timer;
  unref(): Timer;
}

const asTimer = (id: number): Timer => ({
  id,
  ref() {
    return this;
  },
  unref() {
    return this;
  },
});

/**
 * Runs each test file in the realm of its worker, where jest's own environment makes a new one. The code of a module is
 * then compiled once for all files of a worker, while its state is new in each of them: jest evaluates it again. What a
 * file changes of the globals and of the process is put back at its end.
 */
export default class SharedRealmEnvironment implements JestEnvironment<Timer> {
  readonly global = globalThis as unknown as JestEnvironment['global'];
  readonly moduleMocker = new ModuleMocker(globalThis);
  fakeTimers: LegacyFakeTimers<Timer> | null;
  fakeTimersModern: ModernFakeTimers | null;
  private readonly before = WorkerState.take();

  constructor({ projectConfig }: JestEnvironmentConfig, _context: EnvironmentContext) {
    const { moduleMocker } = this;
    const global = globalThis;
    const timerConfig = { idToRef: asTimer, refToId: (timer: Timer) => timer?.id };
    this.fakeTimers = new LegacyFakeTimers({ config: projectConfig, global, moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global });
  }

  getVmContext() {
    return REALM;
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.fakeTimers?.dispose();
    this.fakeTimersModern?.dispose();
    this.fakeTimers = null;
    this.fakeTimersModern = null;
    this.before.restore();
  }
}
