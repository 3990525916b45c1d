import { setFlagsFromString } from 'node:v8';
import { answerQuestion } from '../judge/answer-question';
import type { GitRequest } from '../transport/git-request';
import { GuardedHttp } from '../transport/guarded-http';
import { RemoteWaits } from '../transport/remote-waits';
import { endWithParent } from './end-with-parent';
import { type AskedQuestion, isSlotWord, type SlotResumed, type WorkerStart } from './message';

// V8 optimizes a function after about four times as much work as by default, since most questions are answered before
// that pays off: it saves a third of their processor time. It compiles each function when it is first called, because
// interpreting them takes longer. Set here, because Node refuses to start with an unknown flag.
setFlagsFromString('--interrupt-budget=500000');
setFlagsFromString('--always-sparkplug');

/** The process's program: answers one question at a time, until the pool ends it. */
process.once('message', (config: WorkerStart) => {
  const network = new GuardedHttp(config);
  let resumed: (() => void)[] = [];
  const slot = {
    yield: () => void process.send?.({ slot: 'yielded' }),
    resume: () =>
      new Promise<void>((resolve) => {
        resumed.push(resolve);
        process.send?.({ slot: 'wanted' });
      }),
  };
  process.on('message', (message: AskedQuestion | SlotResumed) => {
    if (isSlotWord(message)) {
      for (const resolve of resumed.splice(0)) resolve();
      return;
    }
    resumed = [];
    const waits = new RemoteWaits(slot);
    const { reportsRequests, ...question } = message;
    const report = reportsRequests
      ? (gitRequest: GitRequest) => void process.send?.({ gitRequest })
      : undefined;
    void answerQuestion(question, config, { network, waits, report }).then((answer) => {
      waits.end();
      process.send?.(answer);
    });
  });
});

// Ctrl-C in a terminal reaches this process too, but the service finishes its requests first and then ends it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

endWithParent();
