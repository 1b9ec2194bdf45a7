import { chakra, Flex, Grid } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { quantityForm } from '#domain/decimal.ts';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import { useWriteContext } from '#src/sync/use-write-context.ts';
import { db } from '#src/local-data/database.ts';
import { correctRefused } from '#src/db/commands/tray.ts';
import { textLimits } from '#domain/limits.ts';
import { dependantsOf } from '#src/db/dependants.ts';
import { MoneyField } from '#src/forms/money-field.tsx';
import { NumberField } from '#src/forms/number-field.tsx';
import { MoneyText } from '#src/formats/money.tsx';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { toast } from '#src/ui/toaster.tsx';
import type { DetailedEntry } from '../entry-details.ts';
import { draftTotalMinor } from './correction-fields.ts';
import type { Draft, FaultCode, Faults, LineDraft } from './correction-fields.ts';
import { boundsOf, correct, draftOf } from './correction.ts';

/** Edits a refused operation. Saving replaces it by a new operation. */
export function EditDialog({ entry, onClose }: { entry: DetailedEntry; onClose: () => void }) {
  const { t } = useTranslation();
  const context = useWriteContext();
  const { operation, state, currency } = entry;
  const named = Object.keys(state.last_error?.details ?? {});
  const [draft, setDraft] = useState(() => draftOf(operation, named));
  const [faults, setFaults] = useState<Faults>({});
  const bounds = useLiveQuery(async () => boundsOf(operation, await dependantsOf(db, operation.op_id)), [operation]);
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const sumMinor = draft.lines && draftTotalMinor(draft.lines);

  const limits: Partial<Record<string, number>> = {
    customerName: textLimits.name,
    notes: textLimits.notes,
    reference: textLimits.reference,
    reason: textLimits.reason,
  };
  const errorOf = (key: string): string | undefined => {
    const fault: FaultCode | undefined = faults[key];
    if (fault === undefined) return undefined;
    if (fault === 'tooMuch' && operation.kind === 'order.pay') {
      return t('outbox.edit.faults.tooMuch', {
        max: money(minorFromWire(operation.payload.invoice?.total_amount ?? 0)),
      });
    }
    return t(`outbox.edit.faults.${fault}`, {
      max: limits[key] ?? textLimits.name,
      sum: money(sumMinor ?? 0),
      total: money(bounds?.fixedMinor ?? 0),
    });
  };
  const hint = (path: string) => (named.includes(path) ? t('outbox.edit.named') : undefined);

  async function save() {
    if (!bounds) return;
    const corrected = correct(operation, draft, bounds);
    if (!corrected.ok) {
      setFaults(corrected.faults);
      return;
    }
    const result = await correctRefused(context, { opId: operation.op_id, payload: corrected.payload });
    if (result.ok) toast({ tone: 'success', title: t('outbox.edit.done') });
    else toast({ tone: 'error', title: t(`errors.${result.refusal.code}`) });
    onClose();
  }

  const textFields: {
    key: 'customerName' | 'amount' | 'tendered' | 'reference' | 'reason' | 'notes';
    label: string;
    path: string;
    isNumber?: true;
  }[] = [
    { key: 'customerName', label: t('outbox.edit.customer'), path: 'customer_name' },
    { key: 'amount', label: t('outbox.edit.amount'), path: 'amount', isNumber: true },
    { key: 'tendered', label: t('outbox.edit.tendered'), path: 'tendered', isNumber: true },
    { key: 'reference', label: t('outbox.edit.reference'), path: 'reference_number' },
    { key: 'reason', label: t('outbox.edit.reason'), path: 'reason' },
    { key: 'notes', label: t('outbox.edit.notes'), path: 'notes' },
  ];
  return (
    <Dialog
      open={bounds !== undefined}
      onClose={onClose}
      title={t('outbox.edit.title')}
      width="36rem"
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={onClose}>{t('outbox.edit.cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('outbox.edit.save')}
          </Button>
        </>
      }
    >
      <chakra.p color="fg.muted">{t('outbox.edit.intro')}</chakra.p>
      {draft.lines && (
        <LineFields
          lines={draft.lines}
          onChange={(lines) => change({ lines })}
          currency={currency}
          errorOf={errorOf}
          hint={hint}
          note={bounds?.fixedMinor == null ? undefined : t('outbox.edit.fixed', { total: money(bounds.fixedMinor) })}
        />
      )}
      {draft.lines && (
        <Flex justify="space-between" align="baseline" gap="4" borderTopWidth="1px" borderColor="border" pt="3">
          <chakra.span fontWeight="medium">{t('outbox.edit.total')}</chakra.span>
          <MoneyText minor={sumMinor ?? 0} currency={currency} fontSize="lg" fontWeight="semibold" />
        </Flex>
      )}
      {faults['total'] && (
        <chakra.p role="alert" color="refused.fg" fontSize="sm">
          {errorOf('total')}
        </chakra.p>
      )}
      {textFields.map(({ key, label, path, isNumber }) => {
        const value = draft[key];
        if (value === null) return null;
        const field = { label, error: errorOf(key), hint: hint(path) };
        const onText = (text: string) => change({ [key]: text });
        if (!isNumber)
          return <TextField key={key} {...field} value={value} onChange={(event) => onText(event.target.value)} />;
        return operation.kind === 'stock.adjust' ? (
          <NumberField key={key} {...field} kind={quantityForm} text={value} onText={onText} />
        ) : (
          <MoneyField key={key} {...field} currency={currency} text={value} onText={onText} />
        );
      })}
    </Dialog>
  );
}

interface LineFieldsProps {
  lines: LineDraft[];
  currency: string;
  onChange: (lines: LineDraft[]) => void;
  errorOf: (key: string) => string | undefined;
  hint: (path: string) => string | undefined;
  /** Why the total must not change. */
  note: string | undefined;
}

function LineFields({ lines, currency, onChange, errorOf, hint, note }: LineFieldsProps) {
  const { t } = useTranslation();
  const change = (at: number, changes: Partial<LineDraft>) =>
    onChange(lines.map((each, index) => (index === at ? { ...each, ...changes } : each)));
  return (
    <Flex as="fieldset" direction="column" gap="4" aria-label={t('outbox.edit.services')}>
      {note && (
        <chakra.p fontSize="sm" color="fg.muted">
          {note}
        </chakra.p>
      )}
      {lines.map((line, index) => (
        <Grid key={line.lineId} templateColumns="1fr 1fr" columnGap="3" rowGap="2">
          <chakra.div gridColumn="1 / -1">
            {line.editedName === null ? (
              <chakra.p fontWeight="medium">{line.name}</chakra.p>
            ) : (
              <TextField
                label={t('outbox.edit.name')}
                value={line.editedName}
                error={errorOf(`name.${line.lineId}`)}
                hint={hint(`items.${index}.name`)}
                onChange={(event) => change(index, { editedName: event.target.value })}
              />
            )}
          </chakra.div>
          <NumberField
            label={t('outbox.edit.quantity')}
            aria-label={t('outbox.edit.quantityOf', { name: line.name })}
            kind={quantityForm}
            text={line.quantity}
            error={errorOf(`quantity.${line.lineId}`)}
            hint={hint(`items.${index}.quantity`)}
            onText={(quantity) => change(index, { quantity })}
          />
          <MoneyField
            label={t('outbox.edit.price')}
            aria-label={t('outbox.edit.priceOf', { name: line.name })}
            currency={currency}
            text={line.price}
            error={errorOf(`price.${line.lineId}`)}
            hint={hint(`items.${index}.unit_price`)}
            onText={(price) => change(index, { price })}
          />
        </Grid>
      ))}
    </Flex>
  );
}
