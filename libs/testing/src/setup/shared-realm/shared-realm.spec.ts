import { AsyncLocalStorage } from 'node:async_hooks';
import vm from 'node:vm';
import { compileOnce, REALM } from './compile-once';
import { watchStorages, WorkerState } from './worker-state';

describe('what a test file leaves in its worker', () => {
  it.each<[string, () => void, () => unknown]>([
    ['a new global', () => Object.assign(globalThis, { left: 1 }), () => 'left' in globalThis],
    [
      'another global',
      () => (globalThis.structuredClone = () => 1 as never),
      () => globalThis.structuredClone,
    ],
    ['a new variable', () => (process.env.PLAT_LEFT = 'x'), () => process.env.PLAT_LEFT],
    ['other variables', () => (process.env = {}), () => process.env.PATH],
    ['a function of the process', () => (process.cwd = () => '/left'), () => process.cwd],
    ['a listener', () => process.on('SIGUSR1', () => undefined), () => process.listenerCount('SIGUSR1')],
  ])('is gone after it: %s', (_what, leave, look) => {
    const before = look();
    const state = WorkerState.take();
    leave();
    expect(look()).not.toBe(before);
    state.restore();
    expect(look()).toBe(before);
  });

  it('is no storage that each promise would keep', () => {
    const { run, enterWith } = AsyncLocalStorage.prototype;
    const storage = new AsyncLocalStorage<string>();
    try {
      watchStorages();
      const state = WorkerState.take();
      storage.enterWith('kept');
      expect(storage.getStore()).toBe('kept');
      state.restore();
      expect(storage.getStore()).toBeUndefined();
    } finally {
      Object.assign(AsyncLocalStorage.prototype, { run, enterWith });
    }
  });
});

describe('a module that several test files load', () => {
  const { compileFunction } = vm;
  beforeAll(compileOnce);
  afterAll(() => void (vm.compileFunction = compileFunction));
  const compiled = (code: string, filename = 'one.js') =>
    vm.compileFunction(code, ['exports'], { filename, parsingContext: REALM });

  it('is compiled once, and again if its code is another', () => {
    const first = compiled('return 1');
    expect(compiled('return 1')).toBe(first);
    expect((compiled('return 2') as () => number)()).toBe(2);
    expect(compiled('return 2', 'two.js')).not.toBe(compiled('return 2'));
  });

  it('has globals of this realm', () => {
    expect((compiled('return []') as () => unknown)()).toBeInstanceOf(Array);
    expect((compiled('return globalThis') as () => unknown)()).toBe(globalThis);
  });
});
