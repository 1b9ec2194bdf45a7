import { chakra } from '@chakra-ui/react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { PurchaseOrderItemResource, PurchaseOrderResource } from '#domain/stock/resources.ts';
import { seenOf } from '#domain/seen.ts';
import { orderSeen } from '#domain/stock/seen.ts';
import type { CallFault } from '#src/api/client.ts';
import { ChangedBanner } from '#src/decisions/change-list.tsx';
import { useDecision } from '#src/decisions/use-decision.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { callServer, faultText } from '#src/api/client.ts';
import { deliveryPaths } from '#src/server-data/purchasing.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Banner } from '#src/ui/banner.tsx';
import { CheckField } from '#src/ui/check-field.tsx';
import { intoView } from '#src/ui/into-view.ts';
import { TextField } from '#src/ui/text-field.tsx';
import { FullScreenForm } from '#src/forms/form-frames.tsx';
import { addedLines, itemOf, deliveryLine, deliveryBody, deliveryDraftOf, deliveryProblems } from './delivery-draft.ts';
import type { DeliveryBody, DeliveryDraft } from './delivery-draft.ts';
import { useOrderWords } from './order-words.ts';
import { DeliveryLineFields } from './delivery-line-fields.tsx';

/**
 * Receives a complete or partial delivery in one request. The device keeps the draft and the idempotency key until the server
 * has answered, and deletes the key last, so that no delivery is received twice.
 */
export function DeliveryForm({ order: opened, onClose }: { order: PurchaseOrderResource; onClose: () => void }) {
  const { t } = useTranslation();
  const [initial] = useState(() => deliveryDraftOf(opened));
  const [seen] = useState(() => seenOf(opened, orderSeen));
  const [refusal, setRefusal] = useState<CallFault | null>(null);
  const name = `receive:${opened.id}`;
  const form: DraftForm<DeliveryDraft> = useDraftForm<DeliveryDraft>({
    name,
    initial,
    seen,
    problemsOf: (draft) => deliveryProblems(draft, opened),
  });
  const { fields, insert, append } = useFieldArray({ control: form.control, name: 'items' });
  const receiving = useDecision<PurchaseOrderResource, DeliveryBody, { data: PurchaseOrderResource }>(opened, {
    fields: orderSeen,
    words: useOrderWords(),
    call: async (body, headers, { id }) => {
      const reply = await callServer<{ data: PurchaseOrderResource }>(
        'post',
        `purchase-orders/${id}/receive`,
        body,
        headers,
      );
      await form.forget();
      return reply;
    },
    refreshes: deliveryPaths,
    done: (_body, { data }) =>
      t(data.status === 'received' ? 'purchasing.receive.allDone' : 'purchasing.receive.partDone', {
        number: opened.po_number,
      }),
    failed: t('purchasing.receive.failed'),
    onRefused: (fault) => {
      const isTold = fault.code !== 'NETWORK' && fault.code !== 'CHANGED_MEANWHILE';
      setRefusal(isTold ? fault : null);
      return isTold;
    },
    keepAs: `${name}:sent${form.placeSuffix}`,
    reopened: form.keptSight,
  });
  const order = receiving.shown;
  const { items: ordered } = order;
  const addLines = useEffectEvent((items: PurchaseOrderItemResource[]) => {
    const added = addedLines(form.getValues('items'), { items });
    // Without the focus: it would take it from what tells of the change.
    if (added.length > 0) append(added, { shouldFocus: false });
  });
  useEffect(() => {
    if (form.isReady) addLines(ordered);
  }, [form.isReady, ordered]);
  function save(draft: DeliveryDraft) {
    setRefusal(null);
    return receiving.run(deliveryBody(draft, order));
  }
  const isBooked = refusal?.code === 'DELIVERY_NOTE_BOOKED' || form.watch('is_another_delivery');
  const lines = form.watch('items');
  const problem = form.errorOf('items');
  return (
    <FullScreenForm
      form={form}
      title={t('purchasing.receive.title', { number: order.po_number })}
      submitLabel={t('purchasing.receive.submit')}
      runningLabel={t('purchasing.receive.running')}
      save={save}
      onClose={onClose}
      isReading={receiving.isReading}
      maxWidth="72rem"
      gap="5"
      pb="6"
      lead={<chakra.p color="fg.muted">{t('purchasing.receive.text')}</chakra.p>}
    >
      {receiving.changes && <ChangedBanner changes={receiving.changes} isRefused={receiving.isRefused} />}
      {refusal && <RefusalBanner refusal={refusal} />}
      {problem && !lines.some(({ quantity }) => quantity !== 0) && (
        <Banner tone="refused" title={t('purchasing.receive.nothing')} />
      )}
      <chakra.ul
        aria-label={t('purchasing.columns.items')}
        listStyleType="none"
        borderTopWidth="1px"
        borderColor="border"
      >
        {fields.map((field, index) => {
          const line = lines[index] ?? field;
          const item = itemOf(order, line);
          return (
            item && (
              <DeliveryLineFields
                key={field.id}
                form={form}
                index={index}
                line={line}
                item={item}
                showsErrors={problem !== undefined}
                onSplit={() => insert(index + 1, deliveryLine(item, 0))}
              />
            )
          );
        })}
      </chakra.ul>
      <chakra.div maxWidth="40rem" display="flex" flexDirection="column" gap="5">
        <TextField
          label={t('purchasing.receive.note')}
          hint={t('purchasing.receive.noteHint')}
          maxLength={100}
          autoComplete="off"
          {...form.register('delivery_note')}
        />
        {isBooked && <CheckField label={t('purchasing.receive.another')} {...form.register('is_another_delivery')} />}
        <TextField
          label={t('purchasing.fields.notes')}
          hint={t('purchasing.receive.notesHint')}
          maxLength={2000}
          autoComplete="off"
          {...form.register('notes')}
        />
      </chakra.div>
    </FullScreenForm>
  );
}

/** Reason why the server refused the delivery, with the affected item. */
function RefusalBanner({ refusal }: { refusal: CallFault }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const { name, most, note, number } = (refusal.details ?? {}) as {
    name?: string;
    most?: number;
    note?: string;
    number?: string;
  };
  const isBooked = refusal.code === 'DELIVERY_NOTE_BOOKED';
  return (
    <div ref={intoView}>
      <Banner
        tone="refused"
        title={isBooked ? t('purchasing.receive.booked') : (name ?? t('purchasing.receive.failed'))}
      >
        {isBooked ? t('purchasing.receive.bookedText', { note, number }) : faultText(t, refusal)}
        {most !== undefined && ` ${t('purchasing.receive.most', { quantity: formats.quantity(most) })}`}
      </Banner>
    </div>
  );
}
