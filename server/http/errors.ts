/**
 * Turns whatever a handler throws into a reply of the closed set in `domain/protocol/errors.ts`. A fault of the client
 * is a 4xx, even when only PostgreSQL notices it. Every other error is logged, and its reply reveals no internals.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { errorCatalogue } from '#domain/protocol/errors.ts';
import type { Refusal } from '#domain/result.ts';
import { isOutage, isRepeatable, sqlState } from '../db/transaction.ts';
import { furtherProblems } from './form-rules.ts';
import { languageOf } from './language.ts';
import { RefusedError, sendRefusal } from './refusals.ts';
import { DeepBodyError } from './nesting.ts';
import { invalidField, issuesOf, sentencesOf } from './validation.ts';

export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error, request);
  if (errorCatalogue[refusal.code].status >= 500)
    request.log.error({ err: error, route: request.routeOptions.url }, 'request failed');
  return sendRefusal(reply, refusal);
}

function refusalOf(error: FastifyError, request: FastifyRequest): Refusal {
  const { body, query, params, headers } = request;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const context = error.validationContext ?? 'body';
    const input = { body, querystring: query, params, headers }[context];
    const details = sentencesOf(issuesOf(error), input, languageOf(headers), context);
    const further = context === 'body' ? furtherProblems(request, Object.keys(details)) : {};
    return { code: 'VALIDATION', details: { ...details, ...further } };
  }
  if (error instanceof DeepBodyError)
    return {
      code: 'VALIDATION',
      details: sentencesOf([invalidField('body', 'tooDeep')], body, languageOf(headers), 'body'),
    };
  if (error instanceof RefusedError) return error.refusal;
  if (isAborted(error)) return { code: 'VALIDATION' };
  return databaseRefusal(error) ?? { code: httpCode(error) };
}

/** The client's own connection ended while it sent. The database's has the same code and another message. */
const isAborted = ({ code, message }: FastifyError): boolean => code === 'ECONNRESET' && message === 'aborted';

function httpCode(error: FastifyError): Refusal['code'] {
  switch (error.statusCode) {
    case 400:
      return /JSON/.test(error.code ?? '') || error instanceof SyntaxError ? 'MALFORMED_JSON' : 'VALIDATION';
    case 403:
      return 'FORBIDDEN';
    case 404:
      return 'NOT_FOUND';
    case 413:
      return 'BODY_TOO_LARGE';
    case 415:
      return 'UNSUPPORTED_MEDIA_TYPE';
    case 429:
      return 'TOO_MANY_REQUESTS';
    case 503:
      return 'UNAVAILABLE';
    case undefined:
      return 'INTERNAL';
    default:
      return error.statusCode < 500 ? 'VALIDATION' : 'INTERNAL';
  }
}

/** Recognises errors of PostgreSQL, also as the cause of another error. */
function databaseRefusal(error: Error): Refusal | null {
  if (isOutage(error) || isOutage(error.cause)) return { code: 'UNAVAILABLE' };
  const fault = sqlState(error.cause) ? error.cause : error;
  if (isRepeatable(fault)) return { code: 'TRY_AGAIN' };
  if (isTakenId(fault)) return { code: 'ID_TAKEN' };
  // Data exceptions: out of range, not representable, malformed.
  return /^22[0-9A-Z]{3}$/.test(sqlState(fault) ?? '') ? { code: 'VALIDATION' } : null;
}

/**
 * Ids of the server never collide, so the caller chose a primary key that exists, such as the id of another treatment's
 * line.
 */
const isTakenId = (fault: unknown): boolean =>
  sqlState(fault) === '23505' && String((fault as { constraint?: unknown }).constraint).endsWith('_pk');
