import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { faultText } from '../api/client.ts';
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
