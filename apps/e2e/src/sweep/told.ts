/** Headers that differ from answer to answer and tell nothing of what was asked for. */
const OF_EACH_ANSWER = new Set(['x-request-id', 'date']);

/** Everything that an answer tells its caller: status, headers and the bytes of the body. */
export function toldBy(response: Response, text: string): string {
  const headers = [...response.headers].filter(([name]) => !OF_EACH_ANSWER.has(name));
  return JSON.stringify([response.status, headers, text]);
}
