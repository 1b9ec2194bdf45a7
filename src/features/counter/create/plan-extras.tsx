import { BadgePercent, DoorOpen, MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { isReasonTooShort } from '#domain/reason.ts';
import { classes } from '#src/ui/classes.ts';
import text from '#src/ui/text.module.css';
import { TextField } from '#src/ui/text-field.tsx';
import { toneVariables } from '#src/ui/tone.ts';
import { currentDraft, usePlan } from '../plan-store.ts';
import type { PricedPlan } from '../use-priced-plan.ts';
import { openPlanDialog } from './plan-dialog-store.ts';
import styles from './plan-extras.module.css';
import { percent, useDiscountLimit } from './use-discount-limit.ts';
import { useLiveQuery } from '#src/local-data/live.ts';
import { db } from '#src/local-data/database.ts';
import { useRoomName } from '#src/formats/use-room-name.ts';

interface PlanExtrasProps {
  plan: PricedPlan;
  currency: string;
}

/** One row of what a plan may carry besides its services: notes, and for a new treatment a discount and a room. */
export function PlanExtras({ plan, currency }: PlanExtrasProps) {
  const [isNoting, setNoting] = useState(false);
  const editing = usePlan((state) => state.editingId !== null);
  if (isNoting) return <NotesField onDone={() => setNoting(false)} />;
  return (
    <div className={styles['row']}>
      <NotesButton onClick={() => setNoting(true)} />
      {!editing && (
        <>
          <Discount plan={plan} currency={currency} />
          <PlanRoom />
        </>
      )}
    </div>
  );
}

interface ExtraButtonProps extends Omit<ComponentProps<'button'>, 'value' | 'className'> {
  icon: ReactNode;
  /** The word shown while nothing is set. */
  word: string;
  value?: string | undefined;
}

/** A button that shows what it has set in place of its word, so that the row keeps its size. */
function ExtraButton({ icon, word, value, ...rest }: ExtraButtonProps) {
  return (
    <button
      type="button"
      className={classes(styles['button'], value ? styles['set'] : undefined)}
      aria-label={value ?? word}
      title={value ?? word}
      {...rest}
    >
      {icon}
      {/* A new element for another word: in the old one it would start at another place. */}
      <span key={value ?? word} className={classes(styles['word'], text['truncate'])}>
        {value ?? word}
      </span>
    </button>
  );
}

function NotesButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  const notes = usePlan((state) => currentDraft(state).notes);
  return (
    <ExtraButton
      icon={<MessageSquareText />}
      word={t('counter.plan.notes')}
      value={notes || undefined}
      aria-label={notes ? `${t('counter.plan.notes')}: ${notes}` : undefined}
      onClick={onClick}
    />
  );
}

/** Takes the place of the row while somebody types. */
function NotesField({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const notes = usePlan((state) => currentDraft(state).notes);
  return (
    <TextField
      ref={(field) => field?.focus()}
      label={t('counter.plan.notes')}
      labelHidden
      placeholder={t('counter.plan.notesPlaceholder')}
      maxLength={2000}
      autoComplete="off"
      enterKeyHint="done"
      value={notes}
      onChange={(event) => usePlan.getState().setNotes(event.target.value)}
      onBlur={onDone}
      onKeyDown={({ key, nativeEvent }) => {
        if ((key === 'Enter' || key === 'Escape') && !nativeEvent.isComposing) onDone();
      }}
    />
  );
}

function Discount({ plan: { addedMinor, discountMinor }, currency }: PlanExtrasProps) {
  const { t } = useTranslation();
  const { discount } = usePlan(currentDraft);
  const { limit, isOver, needsApproval } = useDiscountLimit(addedMinor, currency);
  const lacksReason = discount && isOver(discountMinor) && isReasonTooShort(discount.reason);
  const approval = discount && needsApproval(discountMinor);
  const taken =
    discount?.kind === 'percent'
      ? `${percent(-discount.bps / 100)} %`
      : formatMinor(-discountMinor, currencyLabel(currency));
  return (
    <>
      <ExtraButton
        icon={<BadgePercent />}
        word={t('counter.discount.add')}
        value={discount && taken}
        aria-label={discount && `${t('counter.discount.change')}, ${taken}`}
        disabled={addedMinor === 0 && !discount}
        onClick={() => openPlanDialog('discount')}
      />
      {(lacksReason || approval) && (
        <output className={styles['warning']} style={toneVariables(lacksReason ? 'refused' : 'due')}>
          {lacksReason ? t('counter.discount.reasonShort', { limit }) : approval}
        </output>
      )}
    </>
  );
}

/** Lets staff choose the plan's room, if the clinic has rooms. */
function PlanRoom() {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  const { room } = usePlan(currentDraft);
  const hasRooms = useLiveQuery(async () => (await db.rooms.count()) > 0, []);
  if (!hasRooms && !room) return null;
  const name = room && nameOf(room.number);
  return (
    <ExtraButton
      icon={<DoorOpen />}
      word={t('counter.room.choose')}
      value={name}
      aria-label={name && t('counter.room.change', { room: name })}
      onClick={() => openPlanDialog('room')}
    />
  );
}
