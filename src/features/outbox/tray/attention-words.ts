import { useTranslation } from 'react-i18next';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { changedSince } from '#domain/seen.ts';
import type { FieldChange, NounWords } from '#src/decisions/changes.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { toldAmount } from './told-amount.ts';

type Details = AttentionResource['details'];

/** Details that are amounts of money, by the words that they have elsewhere. */
const amounts = ['amount', 'surplus', 'paid', 'refunded', 'discount', 'stated', 'expected', 'change'] as const;

/** What an item says, in words, for what has changed since it was shown. */
export function useAttentionWords(): NounWords {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  const isAmount = (key: string) => (amounts as readonly string[]).includes(key);

  function detailChanges(was: Details, now: Details): FieldChange[] {
    const currency = String(now['currency'] ?? was['currency'] ?? 'EUR');
    const text = (key: string, value: string | number | undefined) => {
      if (value === undefined) return '–';
      return isAmount(key) ? toldAmount(value, currency) : String(value);
    };
    const keys = Object.keys(
      changedSince({ ...Object.fromEntries(Object.keys(now).map((key) => [key, null])), ...was }, now),
    );
    return keys.map((key) => ({
      label: t(`outbox.elsewhere.details.${isAmount(key) ? (key as (typeof amounts)[number]) : 'other'}`),
      was: text(key, was[key]),
      now: text(key, now[key]),
    }));
  }
  return {
    kind: {
      label: t('decisions.kind'),
      text: (kind: AttentionResource['kind']) => t(`outbox.elsewhere.kinds.${kind}`),
    },
    details: { label: '', parts: detailChanges },
    settled_at: {
      label: t('decisions.state'),
      text: (at: string) => t('outbox.elsewhere.settledAt', { time: dateTime(at) }),
    },
  };
}
