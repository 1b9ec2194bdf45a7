/** The way to the server for pages. What a device queues goes another way: the worker sends it. */
import type { TFunction } from 'i18next';
import ky, { HTTPError } from 'ky';
import { errorCatalogue } from '../../domain/protocol/errors.ts';
import type { ErrorCode } from '../../domain/protocol/errors.ts';
import { endSession, sessionToken } from '../session/session.ts';

/** Calls that need no session: signing in, and what the sign-in page shows. */
export const publicApi = ky.create({ prefixUrl: '/api', timeout: 30_000, retry: 0 });

/** Calls of the signed-in person. A 401 or 403 means that the session is over, and ends it here as well. */
export const api = publicApi.extend({
  hooks: {
    beforeRequest: [
      (request) => {
        const token = sessionToken();
        if (token) request.headers.set('authorization', `Bearer ${token}`);
      },
    ],
    afterResponse: [
      (_request, _options, response) => {
        if (response.status === 401 || response.status === 403) endSession('expired');
      },
    ],
  },
});

/** What went wrong with a call: the server's word, or that it could not be reached. */
export interface CallFault {
  code: ErrorCode | 'NETWORK' | 'UNEXPECTED';
  message: string;
  /** By field of a form, or by name: what the refusal is about. */
  details?: Record<string, unknown>;
}

/**
 * Tells a refusal from a server that is not there. A gateway's error page, or a captive portal's, is no answer of ours.
 */
export async function faultOf(thrown: unknown): Promise<CallFault> {
  if (!(thrown instanceof HTTPError)) return { code: 'NETWORK', message: '' };
  const body = (await bodyOf(thrown.response)) as {
    success?: unknown;
    code?: string;
    message?: string;
    details?: Record<string, unknown>;
  } | null;
  if (body?.success !== false) return { code: 'NETWORK', message: '' };
  const { code, message = '', details = {} } = body;
  return { code: code && code in errorCatalogue ? (code as ErrorCode) : 'UNEXPECTED', message, details };
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** Thrown by a call that did not succeed. */
export class CallFailed extends Error {
  override name = 'CallFailed';
  constructor(readonly fault: CallFault) {
    super(fault.message);
  }
}

export type Method = 'post' | 'put' | 'patch' | 'delete';

/** Sends one request to the API. Throws `CallFailed`. */
export async function callServer<Output>(
  method: Method,
  path: string,
  json?: unknown,
  headers: Record<string, string> = {},
): Promise<Output> {
  try {
    return await api(path, { method, headers, ...(json === undefined ? {} : { json }) }).json<Output>();
  } catch (thrown) {
    throw new CallFailed(await faultOf(thrown));
  }
}

/** Returns the text of a fault in the reader's language. */
export function faultText(t: TFunction, { code, message }: CallFault): string {
  return t(`errors.${code}` as 'errors.UNEXPECTED', { defaultValue: message || t('errors.UNEXPECTED') });
}
