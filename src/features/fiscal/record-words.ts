import { useTranslation } from 'react-i18next';
import type { RecordResource } from '#domain/fiscal/resources.ts';
import type { NounWords } from '#src/decisions/changes.ts';

/** The fields of a fiscal record in words, for what has changed since it was shown. */
export function useRecordWords(): NounWords {
  const { t } = useTranslation();
  const answer = (is: boolean) => t(is ? 'decisions.yes' : 'decisions.no');
  return {
    state: {
      label: t('fiscal.list.columns.state'),
      text: (state: RecordResource['state']) => t(`fiscal.list.states.${state}`),
    },
    held_for: {
      label: t('fiscal.list.held'),
      text: (reason: NonNullable<RecordResource['held_for']>) => t(`fiscal.list.heldFor.${reason}`),
    },
    code: { label: t('decisions.code') },
    message: { label: t('decisions.said') },
    is_correctable: { label: t('decisions.correctable'), text: answer },
    is_annullable: { label: t('decisions.annullable'), text: answer },
  };
}
