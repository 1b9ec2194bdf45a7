import { chakra } from '@chakra-ui/react';
import { Clock3 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { urgencyOf } from '../../../domain/preparation/steps.ts';
import type { PreparationStatus, Urgency } from '../../../domain/preparation/steps.ts';
import { useClinicSettings } from '../../local-data/use-clinic-settings.ts';
import { useMoment } from '../../formats/use-formats.ts';
import { duration } from '../../formats/duration.ts';
import { useRoomName } from '../../formats/use-room-name.ts';
import { Badge } from '../../ui/badge.tsx';
import { intlTag } from '../../ui/intl-tag.ts';
import type { Tone } from '../../ui/tone.ts';
import { ItemRow } from './item-row.tsx';
import type { OnMove } from './item-row.tsx';
import type { Card } from './board-columns.ts';

interface BoardCardProps {
  card: Card;
  status: PreparationStatus;
  /** Milliseconds since 1970, by the server's clock. */
  now: number;
  /** Null while nothing can be moved. */
  onMove: OnMove | null;
}

/** Who something was asked for, since when it waits, and each item of it that is equally far. */
export function BoardCard({ card: { order, items, askedAtMs, movedAtMs }, status, now, onMove }: BoardCardProps) {
  const { t } = useTranslation();
  const moment = useMoment();
  const roomName = useRoomName();
  const { number, customer_name: customer, room_number: room, order_type: type, notes } = order;
  const facts = [
    customer && number,
    room && roomName(room),
    type !== 'walk_in' && type !== 'emergency' && t(`counter.types.${type}`),
  ];
  return (
    <chakra.li
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      overflow="hidden"
      animation="rise 160ms ease-out"
    >
      <chakra.div px="3" pt="2" pb="2">
        {/* A long name goes on below it, in the full width. */}
        <chakra.span float="right" display="flex" alignItems="center" height="6" ms="3">
          {status === 'served' ? <Quiet>{moment(movedAtMs)}</Quiet> : <Wait sinceMs={askedAtMs} now={now} />}
        </chakra.span>
        <chakra.h3 fontWeight="semibold" lineHeight="1.5" overflowWrap="anywhere">
          {customer || number}
        </chakra.h3>
        <chakra.p fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums" overflowWrap="anywhere">
          {facts.filter(Boolean).join(' · ')}{' '}
          {type === 'emergency' && (
            <Badge tone="refused" mx="1">
              {t('counter.types.emergency')}
            </Badge>
          )}
        </chakra.p>
        {notes && (
          <chakra.p fontSize="sm" mt="1" whiteSpace="pre-wrap" overflowWrap="anywhere">
            {notes}
          </chakra.p>
        )}
      </chakra.div>
      <chakra.ul listStyleType="none">
        {items.map((item) => (
          <ItemRow key={item.id} placed={{ orderId: order.id, item, status }} onMove={onMove} />
        ))}
      </chakra.ul>
    </chakra.li>
  );
}

const tones: Record<Exclude<Urgency, 'calm'>, Tone> = { soon: 'low', late: 'due' };

function Wait({ sinceMs, now }: { sinceMs: number; now: number }) {
  const { t, i18n } = useTranslation();
  const { order_timeout_minutes: limit } = useClinicSettings();
  const minutes = Math.floor((now - sinceMs) / 60_000);
  const text = minutes < 1 ? t('preparation.justNow') : duration(minutes * 60_000, intlTag(i18n.language));
  const urgency = urgencyOf(now - sinceMs, limit);
  const label = minutes < 1 ? undefined : t('preparation.waits', { duration: text });
  const words = (
    <>
      <chakra.span aria-hidden={label !== undefined}>{text}</chakra.span>
      {label && <chakra.span srOnly>{label}</chakra.span>}
    </>
  );
  if (urgency === 'calm') return <Quiet>{words}</Quiet>;
  return (
    <Badge tone={tones[urgency]}>
      <Clock3 aria-hidden />
      {words}
    </Badge>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return (
    <chakra.span fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
      {children}
    </chakra.span>
  );
}
