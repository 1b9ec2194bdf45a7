import { CalendarDays } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { ComponentProps } from 'react';
import { useController } from 'react-hook-form';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { dateTag } from '#domain/language.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { CalendarPanel } from './calendar-panel.tsx';
import { dayOrder, readDay, writeDay } from './day-text.ts';

export interface DateFieldProps extends Omit<
  ComponentProps<typeof TextField>,
  'type' | 'value' | 'onChange' | 'start' | 'end' | 'min' | 'max'
> {
  /** A day (`YYYY-MM-DD`), or ''. */
  value: string;
  /** Gets a day, or '' while there is none. */
  onDay: (day: string) => void;
  /** Gets a text that is no day, in place of ''. */
  onUnreadable?: (text: string) => void;
  /** The first and the last day that the calendar offers. */
  min?: string | undefined;
  max?: string | undefined;
}

/** Field for a calendar day, typed in the order of the reader's language or chosen from a calendar. */
export function DateField({ value, onDay, onUnreadable, min, max, error, onBlur, ...rest }: DateFieldProps) {
  const { t, i18n } = useTranslation();
  const order = dayOrder(dateTag(i18n.language));
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<{ text: string; value: string }>();
  const [wasLeft, setLeft] = useState(false);
  const [isOpen, setOpen] = useState(false);
  // What is typed shows until the value changes from elsewhere.
  const isCurrent = typed?.value === value;
  const text = isCurrent ? typed.text : writeDay(value, order);
  const isUnreadable = readDay(text, order) === null;
  const example = writeDay('2026-12-31', order);
  const { disabled, readOnly } = rest;
  function type(next: string) {
    const day = readDay(next, order);
    const reported = day ?? (onUnreadable ? next : '');
    setTyped({ text: next, value: reported });
    setLeft(false);
    if (day === null && onUnreadable) onUnreadable(next);
    else onDay(reported);
  }
  return (
    <div ref={frame}>
      <TextField
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        placeholder={order.map((part) => t(`form.date.${part}`)).join('/')}
        {...rest}
        value={text}
        error={isUnreadable && wasLeft ? t('form.date.unreadable', { example }) : error}
        onChange={({ target }) => type(target.value)}
        onBlur={(event) => {
          setLeft(true);
          if (!isUnreadable) setTyped(undefined);
          onBlur?.(event);
        }}
        end={
          !readOnly && (
            <IconButton
              label={t('form.date.open')}
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              disabled={disabled}
              onClick={() => setOpen(!isOpen)}
            >
              <CalendarDays />
            </IconButton>
          )
        }
      />
      {isOpen && (
        <CalendarPanel
          id={id}
          label={rest.label}
          field={frame}
          value={value}
          min={min}
          max={max}
          onChoose={(day) => {
            setTyped(undefined);
            onDay(day);
          }}
          onClose={() => {
            setOpen(false);
            frame.current?.querySelector('button')?.focus();
          }}
        />
      )}
    </div>
  );
}

/** Field for a day of a form. A text that is no day stays in the form, which then is not valid. */
export function FormDateField<Draft extends FieldValues>({
  form,
  name,
  ...rest
}: Omit<DateFieldProps, 'value' | 'onDay' | 'onUnreadable' | 'form' | 'name'> & {
  form: Pick<UseFormReturn<Draft>, 'control'>;
  name: FieldPath<Draft>;
}) {
  const {
    field: { ref, value, onChange, onBlur },
  } = useController({ control: form.control, name });
  return <DateField ref={ref} value={value ?? ''} onDay={onChange} onUnreadable={onChange} onBlur={onBlur} {...rest} />;
}
