import { CloudCheck, TabletSmartphone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../ui/badge.tsx';

/** Shows whether a record is only on this device or on the server as well. */
export function SentBadge({ unsent }: { unsent: boolean }) {
  const { t } = useTranslation();
  return (
    <Badge tone={unsent ? 'low' : 'neutral'}>
      {unsent ? <TabletSmartphone aria-hidden /> : <CloudCheck aria-hidden />}
      {unsent ? t('counter.where.device') : t('counter.where.server')}
    </Badge>
  );
}
