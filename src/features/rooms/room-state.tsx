import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { RoomStatus } from '../../../domain/room/room.ts';
import { useMoment } from '../../formats/use-moment.ts';
import type { LocalRoom } from '../../db/queries/rooms.ts';
import { Badge } from '../../ui/badge.tsx';

export function RoomBadge({ status }: { status: RoomStatus }) {
  const { t } = useTranslation();
  return <Badge tone={status === 'occupied' ? 'due' : 'paid'}>{t(`rooms.status.${status}`)}</Badge>;
}

/** What occupies a room: the latest treatment in it, and how many more there are; or that somebody set it by hand. */
export function Occupant({ room: { is_occupied, treatments } }: { room: LocalRoom }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const [latest, ...others] = treatments;
  if (!latest) return is_occupied ? <chakra.p color="fg.muted">{t('rooms.byHand')}</chakra.p> : null;
  const since = t('rooms.since', { time: moment(latest.createdAtMs) });
  return (
    <chakra.div minWidth="0">
      <chakra.p fontWeight="medium" overflowWrap="anywhere" lineClamp="2">
        {latest.customerName || t('rooms.noCustomer')}
      </chakra.p>
      <Flex wrap="wrap" columnGap="2" color="fg.muted" fontVariantNumeric="tabular-nums">
        <span>{latest.number}</span>
        <span>{since}</span>
        {others.length > 0 && <span>{t('rooms.more', { count: others.length })}</span>}
      </Flex>
    </chakra.div>
  );
}
