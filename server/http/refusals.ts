import type { FastifyReply } from 'fastify';
import { errorCatalogue } from '../../domain/protocol/errors.ts';
import type { ErrorCode } from '../../domain/protocol/errors.ts';
import type { Refusal } from '../../domain/result.ts';

export interface ErrorBody {
  success: false;
  code: ErrorCode;
  message: string;
  details?: Refusal['details'];
}

export function errorBody({ code, details }: Refusal): ErrorBody {
  const { message } = errorCatalogue[code];
  return { success: false, code, message, ...(details && { details }) };
}

/** Sends a refusal with its status. It sets the content type, because the route may have set that of a file. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply
    .status(errorCatalogue[refusal.code].status)
    .type('application/json; charset=utf-8')
    .send(errorBody(refusal));
}
