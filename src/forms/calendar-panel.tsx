import { chakra, Flex } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { daysAfter, isDay } from '#domain/business-day.ts';
import { useLikelyToday } from '../formats/clock.ts';
import { useFormats } from '../formats/use-formats.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { hidePopover, showPopover } from '../ui/popover.ts';
import { monthsAfter, weeksOf } from './day-text.ts';

interface CalendarPanelProps {
  id: string;
  label: string;
  /** The panel stands below it, or above, or at its side: where it fits. */
  field: RefObject<HTMLElement | null>;
  value: string;
  min: string | undefined;
  max: string | undefined;
  onChoose: (day: string) => void;
  onClose: () => void;
}

/** The keys that move between days. */
const steps: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => daysAfter(day, -1),
  ArrowRight: (day) => daysAfter(day, 1),
  ArrowUp: (day) => daysAfter(day, -7),
  ArrowDown: (day) => daysAfter(day, 7),
  PageUp: (day) => monthsAfter(day, -1),
  PageDown: (day) => monthsAfter(day, 1),
};

/** A month from which a day is chosen, by touch or with the arrow keys. */
export function CalendarPanel({ id, label, field, value, min, max, onChoose, onClose }: CalendarPanelProps) {
  const { t } = useTranslation();
  const today = useLikelyToday();
  const panel = useRef<HTMLDialogElement>(null);
  const within = (day: string): string => (min && day < min ? min : max && day > max ? max : day);
  const isOffered = (day: string): boolean => within(day) === day;
  const [at, setAt] = useState(() => within(isDay(value) ? value : today));
  useShownBeside(panel, field);
  useClosedElsewhere(panel, field, onClose);

  function press(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      // A dialog around the field stays open.
      event.stopPropagation();
      event.preventDefault();
      onClose();
    }
  }
  function choose(day: string) {
    onChoose(day);
    onClose();
  }
  return (
    <chakra.dialog
      ref={panel}
      id={id}
      popover="manual"
      aria-label={label}
      onKeyDown={press}
      position="fixed"
      m="0"
      p="2"
      bg="bg.surface"
      color="fg"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      boxShadow="raised"
      zIndex="popover"
    >
      <MonthHead at={at} before={within(monthsAfter(at, -1))} after={within(monthsAfter(at, 1))} onMove={setAt} />
      <MonthDays
        at={at}
        value={value}
        today={today}
        isOffered={isOffered}
        onMove={(day) => setAt(within(day))}
        onChoose={choose}
      />
      <Flex justify="space-between" mt="1">
        <Button variant="quiet" onClick={() => choose('')}>
          {t('form.date.clear')}
        </Button>
        <Button variant="quiet" disabled={!isOffered(today)} onClick={() => choose(today)}>
          {t('form.date.today')}
        </Button>
      </Flex>
    </chakra.dialog>
  );
}

/** Shows the panel beside the field, with the focus on its day. */
function useShownBeside(panel: RefObject<HTMLDialogElement | null>, field: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = panel.current;
    const beside = field.current?.getBoundingClientRect();
    if (!element || !beside) return;
    showPopover(element);
    // An engine without popovers shows a dialog above the page.
    if (element.offsetHeight === 0) element.show();
    place(element, beside);
    focusDay(element);
    return () => hidePopover(element);
  }, [panel, field]);
}

/** Places the panel below the field, above it or at its side, within the window. */
function place(panel: HTMLElement, field: DOMRect): void {
  const { width, height } = panel.getBoundingClientRect();
  const below = field.bottom + 4;
  const above = field.top - height - 4;
  const isAside = below + height > innerHeight && above < 8;
  const sides = isAside ? [field.right + 4, field.left - width - 4] : [];
  const aside = sides.find((edge) => 8 <= edge && edge + width <= innerWidth - 8);
  const top = aside === undefined ? (below + height <= innerHeight ? below : above) : field.top;
  panel.style.top = `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`;
  panel.style.left = `${Math.max(8, Math.min(aside ?? field.left, innerWidth - width - 8))}px`;
}

/** Closes the panel when somebody taps outside of it and of its field, or the window gets another size. */
function useClosedElsewhere(
  panel: RefObject<HTMLElement | null>,
  field: RefObject<HTMLElement | null>,
  onClose: () => void,
): void {
  useEffect(() => {
    const end = new AbortController();
    const outside = ({ target }: Event) => {
      if (!panel.current?.contains(target as Node) && !field.current?.contains(target as Node)) onClose();
    };
    document.addEventListener('pointerdown', outside, { signal: end.signal });
    window.addEventListener('resize', () => onClose(), { signal: end.signal });
    return () => end.abort();
  }, [panel, field, onClose]);
}

/** Focuses the day to which the keys have moved. */
const focusDay = (within: Element | null): void => within?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();

interface MonthHeadProps {
  at: string;
  /** The days to which the arrows move; the present one where there is no other month. */
  before: string;
  after: string;
  onMove: (day: string) => void;
}

function MonthHead({ at, before, after, onMove }: MonthHeadProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Flex align="center" justify="space-between">
      <IconButton label={t('form.date.before')} disabled={before === at} onClick={() => onMove(before)}>
        <ChevronLeft />
      </IconButton>
      <chakra.span aria-live="polite" fontWeight="semibold">
        {formats.month(at)}
      </chakra.span>
      <IconButton label={t('form.date.after')} disabled={after === at} onClick={() => onMove(after)}>
        <ChevronRight />
      </IconButton>
    </Flex>
  );
}

interface MonthDaysProps extends Omit<DayButtonProps, 'day' | 'label'> {
  onMove: (day: string) => void;
}

/** The days of a month in weeks, between which the arrow keys move. */
function MonthDays({ onMove, ...shown }: MonthDaysProps) {
  const { at } = shown;
  const formats = useFormats();
  const table = useRef<HTMLTableElement>(null);
  function move(event: KeyboardEvent) {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    flushSync(() => onMove(step(at)));
    focusDay(table.current);
  }
  return (
    <chakra.table
      ref={table}
      role="grid"
      aria-label={formats.month(at)}
      onKeyDown={move}
      css={{ borderCollapse: 'collapse' }}
    >
      <thead>
        <tr>
          {weeksOf('2024-01-01')[0]!.map((day) => (
            <chakra.th key={day} scope="col" width="12" height="6" fontSize="sm" fontWeight="normal" color="fg.muted">
              <span aria-hidden>{formats.weekday(day!)}</span>
              <chakra.span srOnly>{formats.shortWeekday(day!)}</chakra.span>
            </chakra.th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(at).map((week, index) => (
          <tr key={index}>
            {week.map((day, weekday) => (
              <chakra.td key={day ?? weekday} p="0" textAlign="center" css={{ height: cell }}>
                {day && <DayButton {...shown} day={day} label={formats.longDay(day)} />}
              </chakra.td>
            ))}
          </tr>
        ))}
      </tbody>
    </chakra.table>
  );
}

const cell = 'min(3rem, (var(--visible-height) - 9rem) / 7)';

interface DayButtonProps {
  day: string;
  label: string;
  /** The day that has the focus, the chosen one and the present one. */
  at: string;
  value: string;
  today: string;
  isOffered: (day: string) => boolean;
  onChoose: (day: string) => void;
}

function DayButton({ day, label, at, value, today, isOffered, onChoose }: DayButtonProps) {
  return (
    <chakra.button
      type="button"
      tabIndex={day === at ? 0 : -1}
      disabled={!isOffered(day)}
      aria-label={label}
      aria-pressed={day === value}
      aria-current={day === today ? 'date' : undefined}
      onClick={() => onChoose(day)}
      width="full"
      height="full"
      borderRadius="md"
      borderWidth="1px"
      borderColor={day === today ? 'accent.solid' : 'transparent'}
      fontVariantNumeric="tabular-nums"
      fontWeight={day === value ? 'semibold' : undefined}
      bg={day === value ? 'accent.subtle' : undefined}
      color={day === value ? 'accent.fg' : undefined}
      cursor="pointer"
      _hover={{ bg: 'bg.hover' }}
      _disabled={{ color: 'fg.subtle', opacity: 0.5, cursor: 'default' }}
    >
      {Number(day.slice(8))}
    </chakra.button>
  );
}
