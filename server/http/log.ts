/**
 * What the log may hold: no tokens, and no text that somebody typed, which may be a patient's. PostgreSQL and the query
 * builder quote values in their messages, so of a database error only its kind and place are written.
 */
import { sqlState } from '../db/transaction.ts';

export const logOptions = {
  level: 'warn',
  redact: ['req.headers.authorization', 'req.headers.cookie'],
  serializers: { err: errorForLog },
};

interface LoggedError {
  type: string;
  message: string;
  stack: string;
  [fact: string]: unknown;
}

function errorForLog(error: Error): LoggedError {
  const stack = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
  const fault = sqlState(error.cause) ? error.cause : error;
  const state = sqlState(fault);
  if (!state) return { type: error.name, message: error.message, stack };
  const { table, constraint } = fault as { table?: unknown; constraint?: unknown };
  return { type: error.name, message: 'database error', stack, sqlState: state, table, constraint };
}
