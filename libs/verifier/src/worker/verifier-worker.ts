import { parentPort, workerData } from 'node:worker_threads';
import { answerQuestion } from '../judge/answer-question';
import { GuardedHttp } from '../transport/guarded-http';
import type { Question, WorkerStart } from './question';

/** The thread's own program: one question at a time, until the pool ends it. */
const config = workerData as WorkerStart;
const network = new GuardedHttp(config);

parentPort?.on('message', (question: Question) => {
  void answerQuestion(question, config, network).then((answer) => parentPort?.postMessage(answer));
});
