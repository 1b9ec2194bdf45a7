import { useTranslation } from 'react-i18next';
import { actionKey } from '#domain/audit/actions.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Facts } from '#src/ui/facts.tsx';
import type { Fact } from '#src/ui/facts.tsx';
import { DetailName, deviceName, DetailValue, isOfItsDevice, subjectsOf, useEntryTime } from './audit-views.tsx';
import { detailsOf } from './details.ts';
import type { FoldedEntry } from './fold-entries.ts';

/** All that is recorded of an entry, of which its row shows one line. */
export function EntryDialog({ entry, onClose }: { entry: FoldedEntry | null; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={entry !== null}
      onClose={onClose}
      title={entry ? t(`audit.actions.${actionKey(entry.action)}`) : ''}
      actions={<Button onClick={onClose}>{t('form.close')}</Button>}
    >
      {entry && <EntryFacts entry={entry} />}
    </Dialog>
  );
}

function EntryFacts({ entry }: { entry: FoldedEntry }) {
  const { t } = useTranslation();
  const time = useEntryTime();
  const { person, approver, uploader, device } = entry;
  const facts: Fact[] = [
    ['at', t('audit.columns.at'), time(entry)],
    ['person', t('audit.columns.person'), person?.name ?? t('audit.nobody')],
    ['approver', t('audit.columns.approver'), approver?.name],
    ['uploader', t('audit.columns.uploader'), uploader?.name],
    ['device', t('audit.columns.device'), deviceName(device)],
    ['subject', t('audit.columns.subject'), isOfItsDevice(entry) ? undefined : subjectsOf(entry)],
    ...detailsOf(entry).map((detail): Fact => [
      `detail ${detail.name}`,
      <DetailName key="name" detail={detail} />,
      <DetailValue key="value" detail={detail} />,
    ]),
  ];
  return <Facts facts={facts} />;
}
