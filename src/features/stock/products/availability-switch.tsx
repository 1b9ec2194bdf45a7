import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProductResource } from '../../../../domain/stock/resources.ts';
import { callServer, useServerCall } from '../../../api/server-call.ts';
import { Switch } from '../../../ui/switch.tsx';

/** Whether the counter offers a service. It shows what was chosen from the tap on; a refusal takes it back. */
export function AvailabilitySwitch({ product: { id, name, is_available, updated_at } }: { product: ProductResource }) {
  const { t } = useTranslation();
  /** What was chosen, and of which state of the service: it holds until the server shows the next one. */
  const [wanted, setWanted] = useState<{ isAvailable: boolean; of: string } | null>(null);
  const shown = wanted?.of === updated_at ? wanted.isAvailable : is_available;
  const change = useServerCall(
    (isAvailable: boolean, headers) => callServer('put', `products/${id}`, { is_available: isAvailable }, headers),
    {
      refreshes: ['products'],
      done: (isAvailable) => t(isAvailable ? 'services.offered' : 'services.withdrawn', { name }),
      failed: t('services.updateFailed'),
    },
  );
  async function choose(next: boolean) {
    setWanted({ isAvailable: next, of: updated_at });
    if (!(await change.run(next))) setWanted(null);
  }
  return (
    <Switch
      label={t('services.availability', { name })}
      checked={shown}
      disabled={change.isRunning}
      onChange={(next) => void choose(next)}
    />
  );
}
