/** Why the server refused an operation, as one sentence for the people at the counter. */
import { useTranslation } from 'react-i18next';
import type { ErrorCode } from '../../../../domain/protocol/errors.ts';
import type english from '../../../../locales/en.json';

export type FieldName = keyof typeof english.outbox.fields;
type Details = Record<string, string | number> | undefined;

const fieldNames: readonly FieldName[] = [
  'customer_name',
  'notes',
  'name',
  'quantity',
  'unit_price',
  'total',
  'amount',
  'tendered',
  'change',
  'reference_number',
  'reason',
];

/** Which values the server named, by the last part of their paths; what nobody can edit is `other`. */
function namedFields(details: Details): FieldName[] {
  const fields = Object.entries(details ?? {})
    .filter(([path, says]) => typeof says === 'string' && !circumstances.has(path))
    .map(([path]) => fieldNames.find((name) => name === path.split('.').at(-1)) ?? 'other');
  return [...new Set(fields)];
}

/** What an attention item says besides the refusal's own details, of which each is a sentence about a path. */
const circumstances = new Set(['code', 'aggregate', 'occurred_at', 'actor', 'device', 'number']);

/** Codes that have a sentence of their own for the tray, where the general one would not say what to do. */
const own = [
  'FORBIDDEN',
  'ACTOR_UNKNOWN',
  'SUPERSEDES_APPLIED',
  'SUPERSEDED',
  'DEPENDENCY_VOIDED',
  'ORDER_EXISTS',
  'DRAWER_CLOSED',
  'STOCK_NOT_FOUND',
] as const;

export function useRefusalText(): (code: ErrorCode | 'NETWORK' | undefined, details: Details) => string {
  const { t } = useTranslation();
  return (code, details) => {
    if (code === 'VALIDATION') {
      const fields = namedFields(details).map((field) => t(`outbox.fields.${field}`));
      return fields.length === 0
        ? t('outbox.refused.VALIDATION_PLAIN')
        : t('outbox.refused.VALIDATION', { fields: fields.join(', ') });
    }
    const special = own.find((each) => each === code);
    return special ? t(`outbox.refused.${special}`) : t(`errors.${code ?? 'UNEXPECTED'}`);
  };
}
