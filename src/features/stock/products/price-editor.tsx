import { chakra, Flex } from '@chakra-ui/react';
import { Check, Pencil } from 'lucide-react';
import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { amountForm, readDecimal, writeDecimal } from '#domain/decimal.ts';
import { currencyLabel, formatMinor, minorFromWire, minorToWire } from '#domain/money.ts';
import type { ServiceResource } from '#domain/stock/resources.ts';
import { changeRecord } from '#src/api/change-record.ts';
import { changesOf } from '#src/decisions/changes.ts';
import { useSeen } from '#src/decisions/use-seen.ts';
import { MoneyText, useMoney } from '#src/formats/money.tsx';
import { MoneyField } from '#src/forms/money-field.tsx';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { cataloguePaths } from '#src/server-data/catalogue.ts';
import { refreshData } from '#src/server-data/use-server-data.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { toast } from '#src/ui/toaster.tsx';
import { priceFields, servicePath } from './service-paths.ts';

interface PriceEditorProps {
  service: ServiceResource;
  /** While it is edited it covers the whole line that it stands in, which is its positioned ancestor. */
  takesLine?: boolean;
}

/** A price that a tap makes a field. Enter or the check mark saves it, Escape and leaving the field keep the old one. */
export function PriceEditor({ service, takesLine = false }: PriceEditorProps) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const opener = useRef<HTMLButtonElement>(null);
  /** The typed price; null while the price is shown. */
  const [text, setText] = useState<string | null>(null);
  /** A saved price that the list does not show yet. */
  const [saved, setSaved] = useState<{ minor: number; of: string } | null>(null);
  const minor = saved?.of === service.updated_at ? saved.minor : minorFromWire(service.price);
  const { name, type } = service;
  const field = priceFields[type];
  const words = { [field]: { label: t('services.fields.price'), text: useMoney() } };
  const sight = useSeen({ [field]: minorToWire(minor) }, words, { isLive: true });
  const change = useServerCall(
    (priceMinor: number, headers) =>
      changeRecord(servicePath(service), { changes: { [field]: minorToWire(priceMinor) }, seen: sight.seen }, headers),
    {
      refreshes: cataloguePaths,
      done: (priceMinor) =>
        t('services.priceChanged', { name, price: formatMinor(priceMinor, currencyLabel(currency)) }),
      failed: t('services.updateFailed'),
      onRefused: (fault) => {
        if (!sight.take(fault)) return false;
        void refreshData(...cataloguePaths);
        // In the row there is no room for both prices.
        const told = changesOf(words, sight.seen, fault.details ?? {}).map(
          ({ label, was, now }) => `${label}: ${was} → ${now}`,
        );
        toast({ tone: 'error', title: t('decisions.changed'), text: [...told, t('decisions.again')].join(' · ') });
        return true;
      },
    },
  );
  const { scaled = null } = readDecimal(text ?? '', amountForm);
  const isValid = scaled !== null && scaled > 0;

  function close() {
    setText(null);
    sight.forget();
    requestAnimationFrame(() => opener.current?.focus());
  }
  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const input = event.currentTarget.querySelector('input');
    if (!isValid || sight.isReading) return;
    if (scaled === minorFromWire(sight.seen[field] as number) || (await change.run(scaled))) {
      setSaved({ minor: scaled, of: service.updated_at });
      close();
    } else input?.focus();
  }

  const isEdited = text !== null;
  return (
    <chakra.div position={takesLine ? 'static' : 'relative'}>
      <chakra.button
        ref={opener}
        type="button"
        visibility={isEdited ? 'hidden' : 'visible'}
        aria-label={t('services.changePrice', { name, price: formatMinor(minor, currencyLabel(currency)) })}
        onClick={() => setText(writeDecimal(minor, amountForm))}
        display="inline-flex"
        alignItems="center"
        justifyContent="flex-end"
        gap="2"
        width="full"
        minHeight="var(--control-small, 3rem)"
        px="2"
        borderRadius="md"
        cursor="text"
        fontWeight="medium"
        _hover={{ bg: 'bg.sunken' }}
        css={{ '& svg': { width: '14px', height: '14px', color: '{colors.fg.muted}' } }}
      >
        <MoneyText minor={minor} currency={currency} />
        <Pencil aria-hidden />
      </chakra.button>
      {isEdited && (
        <chakra.form
          onSubmit={(event) => void save(event)}
          noValidate
          // Wider than a price, over the row: its place keeps its size, so that nothing moves.
          position="absolute"
          {...(takesLine ? { insetInline: '0' } : { insetInlineEnd: '0', width: '13.5rem' })}
          top="50%"
          translate="0 -50%"
          zIndex="1"
          bg="bg.surface"
          borderRadius="md"
        >
          <Flex align="center" gap="1">
            <MoneyField
              label={t('services.newPrice', { name })}
              labelHidden
              text={text}
              onText={setText}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- The tap asks to type here.
              autoFocus
              enterKeyHint="done"
              onKeyDown={(event) => event.key === 'Escape' && close()}
              onBlur={({ relatedTarget, currentTarget }) => {
                if (!currentTarget.form?.contains(relatedTarget)) {
                  setText(null);
                  sight.forget();
                }
              }}
            />
            <IconButton
              type="submit"
              label={t('services.savePrice', { name })}
              disabled={!isValid || change.isRunning || sight.isReading}
            >
              <Check />
            </IconButton>
          </Flex>
        </chakra.form>
      )}
    </chakra.div>
  );
}
