import { useTranslation } from 'react-i18next';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import type english from '#locales/en.json';

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

/** Returns the refused fields by the last part of their paths; fields that nobody can edit are `other`. */
function namedFields(details: Details): FieldName[] {
  const fields = Object.entries(details ?? {})
    .filter(([path, problem]) => typeof problem === 'string' && !itemDetails.has(path))
    .map(([path]) => fieldNames.find((name) => name === path.split('.').at(-1)) ?? 'other');
  return [...new Set(fields)];
}

/** Details that an attention item adds to those of the refusal, which are keyed by payload path. */
const itemDetails = new Set([
  'code',
  'aggregate',
  'occurred_at',
  'actor',
  'approver',
  'device',
  'number',
  'revoked_at',
]);

/** Codes with a text for the tray, because their general text does not say what to do. */
const trayCodes = [
  'FORBIDDEN',
  'PROOF_INVALID',
  'APPROVAL_INVALID',
  'KEY_ENDED',
  'DEVICE_REVOKED',
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
    const trayCode = trayCodes.find((each) => each === code);
    return trayCode ? t(`outbox.refused.${trayCode}`) : t(`errors.${code ?? 'UNEXPECTED'}`);
  };
}
