import { chakra } from '@chakra-ui/react';
import { BadgePercent, MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import { isReasonTooShort } from '../../../../domain/reason.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { currentDraft, usePlan } from '../plan-store.ts';
import type { PricedPlan } from '../use-priced-plan.ts';
import { DiscountDialog } from './discount-dialog.tsx';
import { ExtraButton } from './extra-button.tsx';
import { PlanRoom } from './plan-room.tsx';
import { useDiscountLimit } from './use-discount-limit.ts';

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
    <chakra.div
      position="relative"
      display="grid"
      // The room keeps its place where the clinic has none.
      gridTemplateColumns="repeat(3, minmax(0, 1fr))"
      gap="2"
      height="full"
    >
      <NotesButton onClick={() => setNoting(true)} />
      {!editing && (
        <>
          <Discount plan={plan} currency={currency} />
          <PlanRoom />
        </>
      )}
    </chakra.div>
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
  const [open, setOpen] = useState(false);
  const { percent, limit, isOver, needsApproval } = useDiscountLimit(addedMinor, currency);
  const lacksReason = discount && isOver(discountMinor) && isReasonTooShort(discount.reason);
  const approval = discount && needsApproval(discountMinor);
  const taken =
    discount?.kind === 'percent'
      ? `−${percent(discount.bps / 100)} %`
      : `−${formatMinor(discountMinor, currencyLabel(currency))}`;
  return (
    <>
      <ExtraButton
        icon={<BadgePercent />}
        word={t('counter.discount.add')}
        value={discount && taken}
        aria-label={discount && `${t('counter.discount.change')}, ${taken}`}
        disabled={addedMinor === 0 && !discount}
        onClick={() => setOpen(true)}
      />
      {(lacksReason || approval) && (
        <chakra.output
          // Above the row, over the end of the list: the row itself must not move.
          position="absolute"
          insetInline="0"
          bottom="calc(100% + 4px)"
          px="3"
          py="2"
          borderRadius="md"
          borderWidth="1px"
          fontSize="sm"
          lineHeight="1.3"
          bg={lacksReason ? 'refused.subtle' : 'due.subtle'}
          borderColor={lacksReason ? 'refused.border' : 'due.border'}
          color={lacksReason ? 'refused.fg' : 'due.fg'}
        >
          {lacksReason ? t('counter.discount.reasonShort', { limit }) : approval}
        </chakra.output>
      )}
      {open && <DiscountDialog subtotalMinor={addedMinor} currency={currency} onClose={() => setOpen(false)} />}
    </>
  );
}
