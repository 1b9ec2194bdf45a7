import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useWriteContext } from '../sync/use-write-context.ts';
import { currentLanguage } from '../i18n/i18n.ts';
import type { CommandContext } from '../db/commands/context.ts';
import type { DocumentLabels } from '#domain/order/document-writer.ts';
import { useSession } from '../session/session.ts';

/** Returns the context of commands that print: with the texts of the document and the cashier's name. */
export function usePrintingContext(): () => CommandContext {
  const { t } = useTranslation();
  const context = useWriteContext();
  const cashierName = useSession(({ user }) => user?.name ?? '');
  return () => ({ ...context, print: { language: currentLanguage(), labels: documentLabels(t), cashierName } });
}

/** By language: reading them takes as long as storing a sale's rows. */
const labels = new Map<string, DocumentLabels>();

function documentLabels(t: TFunction): DocumentLabels {
  const known = labels.get(currentLanguage());
  if (known) return known;
  const read = {
    ...t('print.labels', { returnObjects: true }),
    methods: t('counter.methods', { returnObjects: true }),
  };
  labels.set(currentLanguage(), read);
  return read;
}
