import { SERVICES } from '@plat/contracts/core';
import { declaredOperations } from '../openapi/declared-operations';
import { controllersOf } from '../services';
import { renderIndex, renderOperations } from './operations';

export const CLIENT_FOLDER = 'libs/api-client/src/generated';

/** The generated part of the client: the types and functions of each service. */
export function clientFiles(): Record<string, string> {
  const files = SERVICES.map((service) => {
    const operations = controllersOf(service).flatMap(declaredOperations);
    return [`${CLIENT_FOLDER}/${service}.ts`, renderOperations(service, operations)] as const;
  });
  return { [`${CLIENT_FOLDER}/index.ts`]: renderIndex(SERVICES), ...Object.fromEntries(files) };
}
