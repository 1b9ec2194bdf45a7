import { chakra, Flex, Grid } from '@chakra-ui/react';
import { Delete } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { onTypedKey } from '../scanner/scanner.ts';
import { Key } from '../ui/key.tsx';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '', '0', 'back'] as const;

interface PinPadProps {
  /** Number of digits of the PIN; the last one submits it. */
  digits: number;
  disabled: boolean;
  onFull: (pin: string) => void;
  /** Called on each key, so that the last error disappears. */
  onKey: () => void;
  /** Why the last PIN did not serve, in the place of its dots until the next key. */
  note?: ReactNode;
}

/** Enters a PIN by touch or keyboard. */
export function PinPad({ digits, disabled, onFull, onKey, note }: PinPadProps) {
  const { t } = useTranslation();
  // Several keys may come before the next rendering.
  const typed = useRef('');
  const [count, setCount] = useState(0);
  function press(key: string): void {
    if (disabled) return;
    onKey();
    const next = key === 'back' ? typed.current.slice(0, -1) : typed.current + key;
    typed.current = next.length < digits ? next : '';
    setCount(typed.current.length);
    if (next.length === digits) onFull(next);
  }
  // Before the pad is seen: a digit that somebody types at once is a digit of the PIN.
  useLayoutEffect(() =>
    onTypedKey((event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^\d$/.test(event.key)) press(event.key);
      if (event.key === 'Backspace') press('back');
    }),
  );
  const full = disabled ? digits : count;
  return (
    <Flex direction="column" gap="4">
      <chakra.div position="relative">
        {note && (
          <chakra.p
            role="alert"
            position="absolute"
            inset="0"
            display="flex"
            alignItems="center"
            justifyContent="center"
            color="refused.fg"
            fontWeight="medium"
            lineHeight="tight"
            textAlign="center"
          >
            {note}
          </chakra.p>
        )}
        <chakra.output
          display="flex"
          alignItems="center"
          justifyContent="center"
          gap="4"
          minHeight="10"
          opacity={note ? 0 : 1}
          aria-label={`${t('lock.pin')}: ${t('lock.typed', { count: full })}`}
        >
          {Array.from({ length: digits }, (_, index) => (
            <chakra.span
              key={index}
              width="4"
              height="4"
              borderRadius="full"
              borderWidth="1px"
              borderColor={index < full ? 'accent.solid' : 'border.strong'}
              bg={index < full ? 'accent.solid' : 'transparent'}
            />
          ))}
        </chakra.output>
      </chakra.div>
      <Grid as="fieldset" aria-label={t('lock.keypad')} templateColumns="repeat(3, minmax(0, 1fr))" gap="2">
        {keys.map((key) =>
          key === '' ? (
            <span key={key} />
          ) : (
            <Key
              key={key}
              size="lg"
              aria-label={key === 'back' ? t('lock.back') : undefined}
              onClick={() => press(key)}
            >
              {key === 'back' ? <Delete aria-hidden /> : key}
            </Key>
          ),
        )}
      </Grid>
    </Flex>
  );
}
