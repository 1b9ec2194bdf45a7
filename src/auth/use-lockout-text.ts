import { useTranslation } from 'react-i18next';
import { intlTag } from '../ui/intl-tag.ts';

/** Returns a function that tells how long somebody must wait after too many wrong passwords or PINs. */
export function useLockoutText(): (waitMs: number) => string {
  const { t, i18n } = useTranslation();
  return (waitMs) => t('signIn.offline.LOCKED', { wait: waitingTime(waitMs, intlTag(i18n.language)) });
}

/** Rounds up, so that nobody tries too early: to seconds below a minute and a half, to minutes above. */
function waitingTime(ms: number, tag: string): string {
  const seconds = Math.ceil(ms / 1000);
  const [value, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
