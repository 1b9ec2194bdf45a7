/**
 * Keeps tokens and typed text, which may be about a patient, out of the log. PostgreSQL quotes values in its messages,
 * so only the SQLSTATE, table and constraint of a database error are logged.
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
