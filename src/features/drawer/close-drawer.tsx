import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { ArrowLeft, Coins, LockKeyhole } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { denominationsOf } from '#domain/denominations.ts';
import type { ByMethod } from '#domain/drawer/drawer.ts';
import { currencyLabel, formatAmount, formatMinor } from '#domain/money.ts';
import { paymentMethods } from '#domain/order/vocabulary.ts';
import { db } from '#src/local-data/database.ts';
import { textLimits } from '#domain/limits.ts';
import { localDrawerReport } from '#src/db/queries/drawers.ts';
import { amountMinor } from '#src/tender/keypad.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { StyledButton, StyledTextField } from '#src/ui/styled.tsx';
import { AmountField } from '#src/drawer/amount-field.tsx';
import { DrawerCard } from './drawer-card.tsx';
import { DifferencePicture } from './difference-picture.tsx';
import { ReconciliationTable } from './reconciliation-table.tsx';
import { countedMinor, piecesMinor, useCount } from './count-draft.ts';
import type { DrawerActions } from './use-drawer-actions.ts';

interface CloseDrawerProps {
  drawerId: string;
  currency: string;
  actions: DrawerActions;
  onClosed: () => void;
}

/**
 * Counts the drawer, then compares the count with the expected amounts. The expected amounts stay hidden until then, so
 * that nobody is tempted to enter them as the count.
 */
export function CloseDrawer({ drawerId, currency, actions, onClosed }: CloseDrawerProps) {
  const [counted, setCounted] = useState<ByMethod | null>(null);
  return counted ? (
    <Compare
      drawerId={drawerId}
      currency={currency}
      counted={counted}
      actions={actions}
      onBack={() => setCounted(null)}
      onClosed={onClosed}
    />
  ) : (
    <Count currency={currency} onCounted={setCounted} />
  );
}

function Count({ currency, onCounted }: { currency: string; onCounted: (counted: ByMethod) => void }) {
  const { t } = useTranslation();
  const [submitted, setSubmitted] = useState(false);
  const count = useCount();
  const counted = countedMinor(count);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    setSubmitted(true);
    if (counted) onCounted(counted);
  }

  return (
    <DrawerCard title={t('drawer.count.title')} text={t('drawer.count.text')}>
      <chakra.form noValidate onSubmit={submit} display="flex" flexDirection="column" gap="5">
        {count.pieces && <Pieces currency={currency} />}
        <chakra.div display="grid" gridTemplateColumns={{ base: '1fr', md: 'repeat(2, minmax(0, 1fr))' }} gap="4">
          {paymentMethods.map((method) => {
            const text = count.amounts[method];
            const isInvalid =
              method === 'cash' ? amountMinor(text) === null : text.trim() !== '' && amountMinor(text) === null;
            return (
              <AmountField
                key={method}
                label={t(`counter.methods.${method}`)}
                entry={{ text, untouched: false }}
                onChange={(entry) => count.setAmount(method, entry.text)}
                error={submitted && isInvalid ? t('drawer.count.amountMissing') : undefined}
                readOnly={method === 'cash' && count.pieces !== null}
              />
            );
          })}
        </chakra.div>
        <StyledButton
          variant="quiet"
          alignSelf="flex-start"
          onClick={() => count.setPieceCounting(count.pieces === null)}
        >
          <Coins />
          {t(count.pieces ? 'drawer.count.hidePieces' : 'drawer.count.pieces')}
        </StyledButton>
        <TextArea
          label={t('drawer.count.notes')}
          hint={t('drawer.count.notesHint')}
          rows={2}
          maxLength={textLimits.notes}
          value={count.notes}
          onChange={(event) => count.setNotes(event.target.value)}
        />
        <Flex direction={{ base: 'column', md: 'row' }} justify="flex-end" gap="2">
          <Button size="lg" onClick={count.discard}>
            {t('drawer.count.cancel')}
          </Button>
          <Button type="submit" variant="primary" size="lg">
            {t('drawer.count.next')}
          </Button>
        </Flex>
      </chakra.form>
    </DrawerCard>
  );
}

/** A row for each note and coin: what it is, how many pieces, and what they come to; below them the counted cash. */
function Pieces({ currency }: { currency: string }) {
  const { t } = useTranslation();
  const { pieces, setPieces } = useCount();
  const totalMinor = piecesMinor(pieces ?? {});
  const label = currencyLabel(currency);
  return (
    <chakra.section aria-label={t('drawer.count.pieces')} fontVariantNumeric="tabular-nums">
      <chakra.div columnWidth="15rem" columnGap="8">
        {denominationsOf(currency).map((denomination) => {
          const amount = formatMinor(denomination, label);
          const text = pieces?.[denomination] ?? '';
          const valueMinor = piecesMinor({ [denomination]: text });
          return (
            <chakra.div
              key={denomination}
              display="grid"
              gridTemplateColumns="4rem 7rem minmax(0, 1fr)"
              breakInside="avoid"
              alignItems="center"
              gap="3"
              py="1"
              borderBottomWidth="1px"
              borderColor="border"
            >
              <chakra.span aria-hidden textAlign="end">
                {formatAmount(denomination)}
              </chakra.span>
              <StyledTextField
                label={t('drawer.count.piece', { amount })}
                labelHidden
                inputMode="numeric"
                autoComplete="off"
                maxLength={7}
                value={text}
                error={valueMinor === null ? t('problems.NUMBER_NOT_WHOLE') : undefined}
                onChange={(event) => setPieces(denomination, event.target.value)}
                onFocus={(event) => event.target.select()}
                textAlign="end"
                end={
                  <chakra.span pe="3" fontSize="sm" color="fg.muted" pointerEvents="none" aria-hidden>
                    {t('drawer.count.unit')}
                  </chakra.span>
                }
              />
              <chakra.span textAlign="end" whiteSpace="nowrap" color={valueMinor ? 'fg' : 'fg.muted'}>
                {valueMinor === null ? '–' : formatAmount(valueMinor)}
              </chakra.span>
            </chakra.div>
          );
        })}
      </chakra.div>
      <Flex
        justify="space-between"
        align="baseline"
        gap="4"
        py="3"
        fontWeight="semibold"
        // The sum stays in sight while the last coins are typed.
        position="sticky"
        bottom="0"
        bg="bg.surface"
      >
        <span>{t('drawer.count.piecesTotal')}</span>
        <chakra.output fontSize="lg">{totalMinor === null ? '–' : formatMinor(totalMinor, label)}</chakra.output>
      </Flex>
    </chakra.section>
  );
}

interface CompareProps extends CloseDrawerProps {
  counted: ByMethod;
  onBack: () => void;
}

function Compare({ drawerId, currency, counted, actions, onBack, onClosed }: CompareProps) {
  const { t } = useTranslation();
  const notes = useCount((count) => count.notes);
  const local = useLiveQuery(() => localDrawerReport(db, drawerId, Date.now()), [drawerId]);

  const top = useRef<HTMLDivElement>(null);
  // The count is longer, so what was in sight of it may lie below the comparison.
  useEffect(() => {
    top.current?.scrollIntoView({ block: 'start' });
  }, []);

  async function close() {
    if (await actions.close({ drawerId, countedMinor: counted, notes })) onClosed();
  }

  return (
    <DrawerCard title={t('drawer.compare.title')} text={t('drawer.compare.text')}>
      {/* Its margin keeps the card's heading in sight. */}
      <chakra.div ref={top} scrollMargin="40" />
      <Flex direction="column" gap="5">
        {local && !local.isComplete && <Banner tone="due">{t('drawer.report.notWhole')}</Banner>}
        {local && <DifferencePicture expected={local.report.expected} counted={counted} currency={currency} />}
        {local && <ReconciliationTable expected={local.report.expected} counted={counted} currency={currency} />}
        <Flex
          direction={{ base: 'column-reverse', md: 'row' }}
          wrap={{ md: 'wrap-reverse' }}
          justify="flex-end"
          gap="2"
        >
          <StyledButton size="lg" flexGrow={{ md: 1 }} onClick={onBack}>
            <ArrowLeft />
            {t('drawer.compare.back')}
          </StyledButton>
          <StyledButton
            variant="primary"
            size="lg"
            flexGrow={{ md: 1 }}
            disabled={actions.pending || !local}
            onClick={() => void close()}
          >
            <LockKeyhole />
            {t('drawer.compare.close')}
          </StyledButton>
        </Flex>
      </Flex>
    </DrawerCard>
  );
}
