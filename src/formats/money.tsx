import { chakra } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import { useCurrency } from '../local-data/use-clinic-settings.ts';

/** Renders an amount in tabular figures. `minor` is in minor units. */
export function MoneyText({
  minor,
  currency = 'EUR',
  ...rest
}: ComponentProps<typeof chakra.span> & { minor: number; currency?: string }) {
  return (
    <chakra.span fontVariantNumeric="tabular-nums" whiteSpace="nowrap" textAlign="end" {...rest}>
      <SignedText text={formatMinor(minor, currencyLabel(currency))} />
    </chakra.span>
  );
}

/** In tabular figures a minus is as wide as a figure, so that it would seem to stand apart. */
function SignedText({ text }: { text: string }) {
  const [before, after] = text.split('-');
  if (after === undefined) return text;
  return (
    <>
      {before}
      <chakra.span fontVariantNumeric="normal">-</chakra.span>
      {after}
    </>
  );
}

/** Formats amounts as the API returns them, in the clinic's currency. */
export function useMoney(): (wire: number) => string {
  const label = currencyLabel(useCurrency());
  return (wire) => formatMinor(minorFromWire(wire), label);
}

/** Keeps an amount or a time within a sentence in one line. */
export const unbroken = (amount: string): string => amount.replaceAll(' ', '\u00a0');
