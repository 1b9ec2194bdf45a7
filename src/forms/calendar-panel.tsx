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

const steps: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => daysAfter(day, -1),
  ArrowRight: (day) => daysAfter(day, 1),
  ArrowUp: (day) => daysAfter(day, -7),
  ArrowDown: (day) => daysAfter(day, 7),
  PageUp: (day) => monthsAfter(day, -1),
  PageDown: (day) => monthsAfter(day, 1),
};

const cell = 'min(3rem, (var(--visible-height) - 9rem) / 7)';

/** A month from which a day is chosen, by touch or with the arrow keys. */
export function CalendarPanel({ id, label, field, value, min, max, onChoose, onClose }: CalendarPanelProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const today = useLikelyToday();
  const panel = useRef<HTMLDialogElement>(null);
  const within = (day: string): string => (min && day < min ? min : max && day > max ? max : day);
  const isOffered = (day: string): boolean => within(day) === day;
  const [at, setAt] = useState(() => within(isDay(value) ? value : today));

  useLayoutEffect(() => {
    const element = panel.current;
    const beside = field.current?.getBoundingClientRect();
    if (!element || !beside) return;
    showPopover(element);
    // An engine without popovers shows a dialog above the page.
    if (element.offsetHeight === 0) element.show();
    const { width, height } = element.getBoundingClientRect();
    const below = beside.bottom + 4;
    const above = beside.top - height - 4;
    const isAside = below + height > innerHeight && above < 8;
    const sides = isAside ? [beside.right + 4, beside.left - width - 4] : [];
    const aside = sides.find((edge) => 8 <= edge && edge + width <= innerWidth - 8);
    const top = aside === undefined ? (below + height <= innerHeight ? below : above) : beside.top;
    element.style.top = `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`;
    element.style.left = `${Math.max(8, Math.min(aside ?? beside.left, innerWidth - width - 8))}px`;
    element.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    return () => hidePopover(element);
  }, [field]);
  useEffect(() => {
    const end = new AbortController();
    const outside = ({ target }: Event) => {
      if (!panel.current?.contains(target as Node) && !field.current?.contains(target as Node)) onClose();
    };
    document.addEventListener('pointerdown', outside, { signal: end.signal });
    window.addEventListener('resize', () => onClose(), { signal: end.signal });
    return () => end.abort();
  }, [field, onClose]);

  function press(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      // A dialog around the field stays open.
      event.stopPropagation();
      event.preventDefault();
      onClose();
    }
  }
  function move(event: KeyboardEvent) {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    flushSync(() => setAt(within(step(at))));
    panel.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }
  const month = (count: number) => within(monthsAfter(at, count));
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
      <Flex align="center" justify="space-between">
        <IconButton label={t('form.date.before')} disabled={month(-1) === at} onClick={() => setAt(month(-1))}>
          <ChevronLeft />
        </IconButton>
        <chakra.span aria-live="polite" fontWeight="semibold">
          {formats.month(at)}
        </chakra.span>
        <IconButton label={t('form.date.after')} disabled={month(1) === at} onClick={() => setAt(month(1))}>
          <ChevronRight />
        </IconButton>
      </Flex>
      <chakra.table role="grid" aria-label={formats.month(at)} onKeyDown={move} css={{ borderCollapse: 'collapse' }}>
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
                  {day && (
                    <chakra.button
                      type="button"
                      tabIndex={day === at ? 0 : -1}
                      disabled={!isOffered(day)}
                      aria-label={formats.longDay(day)}
                      aria-pressed={day === value}
                      aria-current={day === today ? 'date' : undefined}
                      onClick={() => {
                        onChoose(day);
                        onClose();
                      }}
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
                  )}
                </chakra.td>
              ))}
            </tr>
          ))}
        </tbody>
      </chakra.table>
      <Flex justify="space-between" mt="1">
        <Button
          variant="quiet"
          onClick={() => {
            onChoose('');
            onClose();
          }}
        >
          {t('form.date.clear')}
        </Button>
        <Button
          variant="quiet"
          disabled={!isOffered(today)}
          onClick={() => {
            onChoose(today);
            onClose();
          }}
        >
          {t('form.date.today')}
        </Button>
      </Flex>
    </chakra.dialog>
  );
}
