import { CloudOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { faultText } from '../api/client.ts';
import { isOutageFault } from './use-server-data.ts';
import type { ServerData } from './use-server-data.ts';

/** Shows why data could not be loaded, in place of data that this device has no cached copy of. */
export function LoadError({ data: { fault, refresh } }: { data: Pick<ServerData<unknown>, 'fault' | 'refresh'> }) {
  const { t } = useTranslation();
  if (!fault) return null;
  return (
    <Banner
      tone="refused"
      title={t('page.noAnswer')}
      actions={
        <Button size="sm" onClick={refresh}>
          {t('page.tryAgain')}
        </Button>
      }
    >
      {faultText(t, fault)}
    </Banner>
  );
}

/** Says in the place of a whole page or list why it is not there: during an outage, that it was never loaded on this device. */
export function NotLoaded({ data }: { data: Pick<ServerData<unknown>, 'fault' | 'refresh'> }) {
  const { t } = useTranslation();
  if (!data.fault || !isOutageFault(data.fault)) return <LoadError data={data} />;
  return (
    <div role="alert">
      <EmptyState icon={<CloudOff />} title={t('page.noAnswer')} text={t('page.notHere')}>
        <Button onClick={data.refresh}>{t('page.tryAgain')}</Button>
      </EmptyState>
    </div>
  );
}
