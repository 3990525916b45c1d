import {
  type ArgumentMetadata,
  createParamDecorator,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { ApiError } from '@plat/contracts/core';
import { declaredFields } from '@plat/contracts/fields';
import { requestOf } from './request';
import { fill } from './validation';

const receivedQuery = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).query,
);

/**
 * Reads the query into the class of the parameter: unknown parameters are ignored, an empty value means "not given".
 *
 * @throws INVALID_QUERY naming the parameter, also if it is given twice
 */
class QueryPipe implements PipeTransform<Record<string, string | string[]>, object> {
  transform(received: Record<string, string | string[]>, { metatype }: ArgumentMetadata): object {
    const shape = metatype as new () => object;
    const given = Object.entries(received).filter(([, value]) => value !== '');
    const repeated = declaredFields(shape).find(({ name }) => Array.isArray(received[name]));
    if (repeated) throw refused(repeated.name, 'must be given once');
    const filled = fill(shape, Object.fromEntries(given));
    if ('value' in filled) return filled.value;
    throw refused(filled.refusal.field, filled.refusal.message);
  }
}

const refused = (field: string, message: string): ApiError =>
  new ApiError('INVALID_QUERY', { message: `${field} ${message}.`, details: { field } });

/** The validated query of a request, as the class that the parameter declares. */
export const RequestQuery = (): ParameterDecorator => receivedQuery(new QueryPipe());
