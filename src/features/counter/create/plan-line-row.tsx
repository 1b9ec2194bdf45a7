import { ChevronDown, Trash2 } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { classes } from '#src/ui/classes.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { usePlan } from '../plan-store.ts';
import type { PricedLine } from '../use-priced-plan.ts';
import text from '#src/ui/text.module.css';
import styles from './plan-line-row.module.css';
import { QuantityStepper } from './quantity-stepper.tsx';

export const lineHeightPx = 56;
export const openLineHeightPx = 112;

interface PlanLineRowProps {
  line: PricedLine;
  currency: string;
  topPx: number;
  isOpen: boolean;
  onToggle: (itemKey: string) => void;
  onRemove: (itemKey: string, name: string) => void;
}

/** Every change of the plan creates new line objects; only lines with different content render again. */
function haveSameContent(before: PlanLineRowProps, after: PlanLineRowProps): boolean {
  const { line, ...rest } = before;
  return (
    (Object.keys(line) as (keyof PricedLine)[]).every((key) => line[key] === after.line[key]) &&
    (Object.keys(rest) as (keyof typeof rest)[]).every((prop) => before[prop] === after[prop])
  );
}

/** Shows one service of the plan. A tap on it shows what changes it: quantity, note, removal. */
export const PlanLineRow = memo(function PlanLineRow({
  line,
  currency,
  topPx,
  isOpen,
  onToggle,
  onRemove,
}: PlanLineRowProps) {
  const { t } = useTranslation();
  const { itemKey, name, quantity, notes, available } = line;
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));
  // While the line is open, the field shows its note.
  const note = isOpen ? '' : notes;
  const remark = available ? note : t('counter.plan.unavailable');
  const remove = () => onRemove(itemKey, name);
  return (
    <li
      className={styles['line']}
      style={{ height: isOpen ? openLineHeightPx : lineHeightPx, transform: `translateY(${topPx}px)` }}
    >
      <button
        type="button"
        className={styles['face']}
        aria-expanded={isOpen}
        title={name.length > 40 ? name : undefined}
        onClick={() => onToggle(itemKey)}
      >
        <span key={remark}>
          <span className={classes(text['clamp'], styles['name'])}>{name}</span>
          {remark && <span className={classes(styles['note'], !available && styles['gone'])}>{remark}</span>}
        </span>
        {/* The key replaces the text at once: an amount that grows would otherwise move to the left. */}
        <span className={styles['amount']} key={`${quantity} ${line.totalMinor}`}>
          {money(line.totalMinor)}
          {quantity > 1 && <span className={styles['each']}>{`${quantity} × ${money(line.priceMinor)}`}</span>}
        </span>
        <ChevronDown size={16} className={styles['chevron']} aria-hidden />
      </button>
      {isOpen && (
        <div className={styles['tools']}>
          <QuantityStepper
            name={name}
            quantity={quantity}
            onChange={(next) => usePlan.getState().setQuantity(itemKey, next)}
            onRemove={remove}
          />
          <div className={styles['noteField']}>
            <TextField
              label={t('counter.plan.noteFor', { name })}
              labelHidden
              placeholder={t('counter.plan.notePlaceholder')}
              maxLength={500}
              autoComplete="off"
              value={notes}
              onChange={(event) => usePlan.getState().setLineNotes(itemKey, event.target.value)}
            />
          </div>
          <IconButton className={styles['remove']} label={t('counter.plan.remove', { name })} onClick={remove}>
            <Trash2 />
          </IconButton>
        </div>
      )}
    </li>
  );
}, haveSameContent);
