import {
  type ArgumentMetadata,
  createParamDecorator,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { ApiError } from '@plat/contracts/core';
import { BODY_DEPTH_MAX, BODY_ITEMS_MAX } from './body-shape';
import { BODY_BYTES_MAX, type ReceivedBody } from './received-body';
import { requestOf } from './request';
import { fill } from './validation';

const receivedBody = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).body);

/** Messages for what is amiss with a body as a whole. */
const FAULTS = {
  too_large: `The body is over ${BODY_BYTES_MAX} bytes.`,
  too_deep: `The body nests lists and objects deeper than ${BODY_DEPTH_MAX} levels.`,
  too_many: `The body has more than ${BODY_ITEMS_MAX} fields and items.`,
  cut_short: 'The body is incomplete.',
};

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a JSON body into the request class of the parameter: unknown fields are dropped, null counts as absent.
 *
 * @throws INVALID_BODY, or the code of the first field's rule
 */
class BodyPipe implements PipeTransform<ReceivedBody | undefined, object> {
  transform(received: ReceivedBody | undefined, { metatype }: ArgumentMetadata): object {
    const filled = fill(metatype as new () => object, parseObject(received));
    if ('value' in filled) return filled.value;
    const { field, code = 'INVALID_BODY', message } = filled.refusal;
    throw new ApiError(code, { message: `${field} ${message}.`, details: { field } });
  }
}

function parseObject(received: ReceivedBody | undefined): Record<string, unknown> {
  if (!received) throw new ApiError('INVALID_BODY', { message: 'A JSON body is required.' });
  if ('fault' in received) throw new ApiError('INVALID_BODY', { message: FAULTS[received.fault] });
  let value: unknown;
  try {
    value = JSON.parse(UTF_8.decode(received.bytes));
  } catch (cause) {
    throw new ApiError('INVALID_BODY', { message: 'The body is not valid JSON in UTF-8.', cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('INVALID_BODY', { message: 'The body must be a JSON object.' });
  }
  return value as Record<string, unknown>;
}

/** The validated body of a request, as the class that the parameter declares. */
export const RequestBody = (): ParameterDecorator => receivedBody(new BodyPipe());

/** The field of a body that the audit trail keeps, read without checking the rest. */
export function auditedFieldOf(received: ReceivedBody | undefined, field: string): unknown {
  return jsonOf(received)?.[field];
}

/** The object that a body is, read without checking its fields; undefined if it is none. */
export function jsonOf(received: ReceivedBody | undefined): Record<string, unknown> | undefined {
  try {
    return parseObject(received);
  } catch {
    return undefined;
  }
}
