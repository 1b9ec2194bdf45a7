import type { TFunction } from 'i18next';
import type { CallFault } from './client.ts';

/** A call that did not succeed: the server's refusal, or that it could not be reached. */
export class CallFailed extends Error {
  override name = 'CallFailed';
  constructor(readonly fault: CallFault) {
    super(fault.message);
  }
}

/** What went wrong, in the reader's words. */
export function faultText(t: TFunction, { code, message }: CallFault): string {
  return t(`errors.${code}` as 'errors.UNEXPECTED', { defaultValue: message || t('errors.UNEXPECTED') });
}
