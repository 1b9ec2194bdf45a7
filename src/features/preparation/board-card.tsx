import { chakra } from '@chakra-ui/react';
import { Clock3 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { stepAfter, urgencyOf } from '../../../domain/preparation/steps.ts';
import type { PreparationStatus, Urgency } from '../../../domain/preparation/steps.ts';
import { useClinicSettings } from '../../local-data/use-clinic-settings.ts';
import { useMoment } from '../../formats/use-formats.ts';
import { duration } from '../../formats/duration.ts';
import { useRoomName } from '../../formats/use-room-name.ts';
import { Badge } from '../../ui/badge.tsx';
import { intlTag } from '../../ui/intl-tag.ts';
import type { Tone } from '../../ui/tone.ts';
import { ItemRow } from './item-row.tsx';
import type { Card } from './board-columns.ts';
import type { OnMove } from './use-moves.ts';

interface BoardCardProps {
  card: Card;
  status: PreparationStatus;
  /** The server's time in milliseconds. */
  nowMs: number;
  /** Null while items cannot be moved. */
  onMove: OnMove | null;
}

export function BoardCard({ card: { order, items, orderedAtMs, movedAtMs }, status, nowMs, onMove }: BoardCardProps) {
  const { t } = useTranslation();
  const moment = useMoment();
  const roomName = useRoomName();
  const { number, customer_name: customer, room_number: room, order_type: type, notes } = order;
  const { order_timeout_minutes: limit } = useClinicSettings();
  const urgency = status === 'served' ? 'calm' : urgencyOf(nowMs - orderedAtMs, limit);
  const details = [customer && number, type !== 'walk_in' && type !== 'emergency' && t(`counter.types.${type}`)];
  const next = stepAfter(status);
  const moveAll = () =>
    onMove?.(
      { name: customer || number, items: items.map((item) => ({ orderId: order.id, item, status })) },
      'forward',
    );
  return (
    <chakra.li
      bg="bg.surface"
      css={{
        border: '1px solid {colors.border}',
        borderInlineStart: `4px solid {colors.${edges[urgency]}}`,
        containerType: 'inline-size',
      }}
      borderRadius="md"
      overflow="hidden"
      animation="rise 160ms ease-out"
    >
      <chakra.div
        position="relative"
        px="3"
        pt="2"
        pb="2"
        minHeight="16"
        _hover={{ bg: onMove && next ? 'bg.hover' : undefined }}
        _active={{ bg: onMove && next ? 'accent.subtle' : undefined }}
      >
        {/* It floats, so that a long name continues below it in the full width. */}
        <chakra.span float="right" display="flex" alignItems="center" height="6" ms="3">
          {status === 'served' ? (
            <MutedText>{moment(movedAtMs)}</MutedText>
          ) : (
            <WaitingTime sinceMs={orderedAtMs} nowMs={nowMs} urgency={urgency} />
          )}
        </chakra.span>
        <chakra.h3 fontSize="lg" fontWeight="semibold" lineHeight="1.4" overflowWrap="anywhere">
          {onMove && next ? (
            <chakra.button
              type="button"
              textAlign="start"
              fontWeight="inherit"
              cursor="pointer"
              onClick={moveAll}
              // A held-down key would move the card through all columns.
              onKeyDown={(event) => event.repeat && event.preventDefault()}
              // The whole head is the target.
              css={{ '&::after': { content: '""', position: 'absolute', inset: 0 } }}
            >
              {customer || number}
              <chakra.span
                srOnly
              >{` ${t('preparation.allTo', { status: t(`preparation.statuses.${next}`) })}`}</chakra.span>
            </chakra.button>
          ) : (
            customer || number
          )}
        </chakra.h3>
        <chakra.p fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums" overflowWrap="anywhere">
          {room && (
            <chakra.span fontWeight="semibold" color="fg" me="2">
              {roomName(room)}
            </chakra.span>
          )}
          {details.filter(Boolean).join(' · ')}{' '}
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
          <ItemRow key={item.id} boardItem={{ orderId: order.id, item, status }} onMove={onMove} />
        ))}
      </chakra.ul>
    </chakra.li>
  );
}

const tones: Record<Exclude<Urgency, 'calm'>, Tone> = { soon: 'low', late: 'due' };
const edges: Record<Urgency, string> = { calm: 'border.strong', soon: 'low.fg', late: 'due.fg' };

function WaitingTime({ sinceMs, nowMs, urgency }: { sinceMs: number; nowMs: number; urgency: Urgency }) {
  const { t, i18n } = useTranslation();
  const minutes = Math.floor((nowMs - sinceMs) / 60_000);
  const text = minutes < 1 ? t('preparation.justNow') : duration(minutes * 60_000, intlTag(i18n.language));
  const label = minutes < 1 ? undefined : t('preparation.waits', { duration: text });
  const content = (
    <>
      <chakra.span aria-hidden={label !== undefined}>{text}</chakra.span>
      {label && <chakra.span srOnly>{label}</chakra.span>}
    </>
  );
  if (urgency === 'calm') return <MutedText>{content}</MutedText>;
  return (
    <Badge tone={tones[urgency]}>
      <Clock3 aria-hidden />
      {content}
    </Badge>
  );
}

function MutedText({ children }: { children: ReactNode }) {
  return (
    <chakra.span fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
      {children}
    </chakra.span>
  );
}
