import { chakra, Flex } from '@chakra-ui/react';
import { Clock3 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { KitchenOrderResource } from '#domain/preparation/resources.ts';
import { stepAfter, urgencyOf } from '#domain/preparation/steps.ts';
import type { PreparationStatus, Urgency } from '#domain/preparation/steps.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { useMoment } from '#src/formats/use-formats.ts';
import { duration } from '#src/formats/duration.ts';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { Badge } from '#src/ui/badge.tsx';
import { intlTag } from '#src/ui/intl-tag.ts';
import { Parts } from '#src/ui/parts.tsx';
import type { Tone } from '#src/ui/tone.ts';
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
  const { number, customer_name: customer, room_number: room, order_type: type, notes } = order;
  const { order_timeout_minutes: limit } = useClinicSettings();
  const urgency = status === 'served' ? 'calm' : urgencyOf(nowMs - orderedAtMs, limit);
  const details = [
    (customer || room) && number,
    type !== 'walk_in' && type !== 'emergency' && t(`counter.types.${type}`),
  ].filter(Boolean);
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
        {/* In a narrow column the age stands below the title, which then fits in one line. */}
        <Flex
          align="flex-start"
          columnGap="3"
          css={{ '@container (width < 18rem)': { flexWrap: 'wrap', '& > h3': { flexBasis: '100%' } } }}
        >
          <chakra.h3 flex="1" minWidth="0" fontSize="lg" fontWeight="semibold" lineHeight="1.4" overflowWrap="anywhere">
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
                <CardTitle order={order} />
                <chakra.span
                  srOnly
                >{` ${t('preparation.allTo', { status: t(`preparation.statuses.${next}`) })}`}</chakra.span>
              </chakra.button>
            ) : (
              <CardTitle order={order} />
            )}
          </chakra.h3>
          <chakra.span display="flex" alignItems="center" height="7" flexShrink={0}>
            {status === 'served' ? (
              <MutedText>{moment(movedAtMs)}</MutedText>
            ) : (
              <WaitingTime sinceMs={orderedAtMs} nowMs={nowMs} urgency={urgency} />
            )}
          </chakra.span>
        </Flex>
        {(details.length > 0 || type === 'emergency') && (
          <chakra.p fontSize="sm" color="fg.muted" overflowWrap="anywhere">
            {details.join(' · ')}{' '}
            {type === 'emergency' && (
              <Badge tone="refused" mx="1">
                {t('counter.types.emergency')}
              </Badge>
            )}
          </chakra.p>
        )}
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

/**
 * Room and first name lead, because people look for a place and a person; without either the number does. Others in the room see
 * the board, so the rest of the name is left to screen readers.
 */
function CardTitle({ order: { number, customer_name: customer, room_number: room } }: { order: KitchenOrderResource }) {
  const roomName = useRoomName();
  const [first = '', ...rest] = customer.trim().split(/\s+/);
  const place = room && roomName(room);
  return (
    <>
      <Parts parts={place ? [place[0]!.toUpperCase() + place.slice(1), first] : [first || number]} />
      {rest.length > 0 && <chakra.span srOnly>{` ${rest.join(' ')}`}</chakra.span>}
    </>
  );
}

const tones: Record<Urgency, Tone> = { calm: 'neutral', soon: 'low', late: 'due' };
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
