import { useTranslation } from 'react-i18next';
import type { PurchaseOrderStatus } from '#domain/stock/vocabulary.ts';
import { Badge } from '#src/ui/badge.tsx';
import type { Tone } from '#src/ui/tone.ts';

const tones: Record<PurchaseOrderStatus, Tone> = {
  draft: 'neutral',
  sent: 'blue',
  partial: 'due',
  received: 'paid',
  cancelled: 'refused',
};

export function OrderStatusBadge({ status }: { status: PurchaseOrderStatus }) {
  const { t } = useTranslation();
  return <Badge tone={tones[status]}>{t(`purchasing.status.${status}`)}</Badge>;
}
