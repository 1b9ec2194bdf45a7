/** API client of the pages. Queued operations do not use it: the worker sends those. */
import type { TFunction } from 'i18next';
import ky, { HTTPError } from 'ky';
import { errorCatalogue } from '#domain/protocol/errors.ts';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import type { Renewal } from '../session/page-token.ts';
import { endSession, hasSignedToken, sessionToken } from '../session/session.ts';
import { wholeReply } from './server-fetch.ts';

/** Calls that need no session, such as signing in. */
export const publicApi = ky.create({
  prefixUrl: '/api',
  timeout: 30_000,
  retry: 0,
  fetch: wholeReply,
  hooks: {
    // The server's sentences are in the language of the page, which need not be the browser's.
    beforeRequest: [(request) => request.headers.set('accept-language', document.documentElement.lang || 'en')],
  },
});

/** Loads what few calls need: the token in the cookie is mostly good. */
const renewed = async (): Promise<Renewal> => (await import('../session/page-token.ts')).renewPageToken();

/** Returns the header of a call in the name of the signed-in person. */
export async function authorization(): Promise<string> {
  if (!hasSignedToken()) await renewed();
  return `Bearer ${sessionToken() ?? ''}`;
}

/**
 * Calls of the signed-in person. After a 401 the call is repeated with a new page token, if the session gives one. Otherwise, and
 * after a 403, the session ends in the page as well.
 */
export const api = publicApi.extend({
  // No call is repeated but by the hook below.
  retry: { limit: 1, methods: [] },
  hooks: {
    beforeRequest: [async (request) => request.headers.set('authorization', await authorization())],
    afterResponse: [
      async (_request, _options, response, { retryCount }) => {
        if (response.status !== 401 && response.status !== 403) return undefined;
        const renewal = response.status === 401 && retryCount === 0 ? await renewed() : 'refused';
        if (renewal === 'renewed') return ky.retry({ delay: 0 });
        if (renewal === 'refused') endSession('expired');
        return undefined;
      },
    ],
  },
});

/** Reason why a call failed: the server's error, or `NETWORK` if the server did not answer. */
export interface CallFault {
  code: ErrorCode | 'NETWORK' | 'UNEXPECTED';
  message: string;
  /** Details of the refusal, by form field or by name. */
  details?: Record<string, unknown>;
}

/**
 * Converts a thrown error into a fault. An error page of a gateway or captive portal counts as `NETWORK`, because it
 * does not come from our server; but a proxy that takes no body of this size would never take it.
 */
export async function faultOf(thrown: unknown): Promise<CallFault> {
  if (!(thrown instanceof HTTPError)) return { code: 'NETWORK', message: '' };
  const body = (await bodyOf(thrown.response)) as {
    success?: unknown;
    code?: string;
    message?: string;
    details?: Record<string, unknown>;
  } | null;
  if (body?.success !== false)
    return { code: thrown.response.status === 413 ? 'BODY_TOO_LARGE' : 'NETWORK', message: '' };
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

/** Returns the text of a fault in the reader's language. Only the server knows what is wrong with an invalid request. */
export function faultText(t: TFunction, { code, message, details }: CallFault): string {
  // These sentences name what is in the way.
  if (code === 'STOCK_ON_ORDER' && details) return t('errorsNaming.STOCK_ON_ORDER', { orders: details['orders'] });
  if (code === 'PURCHASE_ITEM_GONE' && details) return t('errorsNaming.PURCHASE_ITEM_GONE', { name: details['name'] });
  // The catalogue has no sentence for a code that this version does not know; the server has one.
  if (code === 'UNEXPECTED' && message !== '') return message;
  if (code === 'VALIDATION' && message) return message;
  return t(`errors.${code}` as 'errors.UNEXPECTED', { defaultValue: message || t('errors.UNEXPECTED') });
}
