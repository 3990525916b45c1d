import { answerQuestion } from '../judge/answer-question';
import { GuardedHttp } from '../transport/guarded-http';
import type { Question, WorkerStart } from './question';

/** The process's own program: one question at a time, until the pool ends it. */
process.once('message', (config: WorkerStart) => {
  const network = new GuardedHttp(config);
  process.on('message', (question: Question) => {
    void answerQuestion(question, config, network).then((answer) => process.send?.(answer));
  });
});

// Ctrl-C in a terminal reaches it too: the service lets its requests end first, and ends it then.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

// The service has gone, however that came: nobody waits for an answer.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
