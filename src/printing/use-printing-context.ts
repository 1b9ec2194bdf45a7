import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useWriteContext } from '../sync/use-write-context.ts';
import { currentLanguage } from '../i18n/i18n.ts';
import type { CommandContext } from '../db/commands/context.ts';
import type { DocumentLabels } from '../../domain/order/printed-document.ts';
import { useSession } from '../session/session.ts';

/** Returns the context of commands that print: with the texts of the document and the cashier's name. */
export function usePrintingContext(): () => CommandContext {
  const { t } = useTranslation();
  const context = useWriteContext();
  const cashierName = useSession(({ user }) => user?.name ?? '');
  return () => ({ ...context, print: { language: currentLanguage(), labels: documentLabels(t), cashierName } });
}

function documentLabels(t: TFunction): DocumentLabels {
  return { ...t('print.labels', { returnObjects: true }), methods: t('counter.methods', { returnObjects: true }) };
}
