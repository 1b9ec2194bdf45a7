import { CloudCheck, TabletSmartphone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../ui/badge.tsx';

/** Says where a treatment is: saved here, or known to the server as well. They are different words on purpose. */
export function SentBadge({ unsent }: { unsent: boolean }) {
  const { t } = useTranslation();
  return (
    <Badge tone={unsent ? 'low' : 'neutral'}>
      {unsent ? <TabletSmartphone aria-hidden /> : <CloudCheck aria-hidden />}
      {unsent ? t('counter.where.device') : t('counter.where.server')}
    </Badge>
  );
}
