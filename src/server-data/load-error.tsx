import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { faultText } from '../api/client.ts';
import type { ServerData } from './use-server-data.ts';

/** Stands where something would be that the server did not give, and that this device has never seen. */
export function LoadError({ data: { fault, refresh } }: { data: ServerData<unknown> }) {
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
