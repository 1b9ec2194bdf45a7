import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { PurchaseOrderResource } from '#domain/stock/resources.ts';
import type { CallFault } from '#src/api/client.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import { callServer, faultText } from '#src/api/client.ts';
import { deliveryPaths } from '#src/server-data/purchasing.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Banner } from '#src/ui/banner.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { FullScreenForm } from '#src/forms/form-frames.tsx';
import { itemOf, deliveryLine, deliveryBody, deliveryDraftOf, deliveryProblems } from './delivery-draft.ts';
import type { DeliveryBody, DeliveryDraft } from './delivery-draft.ts';
import { DeliveryLineFields } from './delivery-line-fields.tsx';

/**
 * Receives a complete or partial delivery in one request. The device keeps the draft and the idempotency key until the server
 * has answered, and deletes the key last, so that no delivery is received twice.
 */
export function DeliveryForm({ order, onClose }: { order: PurchaseOrderResource; onClose: () => void }) {
  const { t } = useTranslation();
  const [initial] = useState(() => deliveryDraftOf(order));
  const [refusal, setRefusal] = useState<CallFault | null>(null);
  const name = `receive:${order.id}`;
  const form = useDraftForm<DeliveryDraft>({ name, initial, problemsOf: (draft) => deliveryProblems(draft, order) });
  const { fields, insert } = useFieldArray({ control: form.control, name: 'items' });
  const receiving = useServerCall(
    async (body: DeliveryBody, headers) => {
      const reply = await callServer<{ data: PurchaseOrderResource }>(
        'post',
        `purchase-orders/${order.id}/receive`,
        body,
        headers,
      );
      await form.forget();
      return reply;
    },
    {
      refreshes: deliveryPaths,
      done: (_body, { data }) =>
        t(data.status === 'received' ? 'purchasing.receive.allDone' : 'purchasing.receive.partDone', {
          number: order.po_number,
        }),
      failed: t('purchasing.receive.failed'),
      onRefused: (fault) => {
        setRefusal(fault.code === 'NETWORK' ? null : fault);
        return fault.code !== 'NETWORK';
      },
      keepAs: `${name}:sent`,
    },
  );
  function save(draft: DeliveryDraft) {
    setRefusal(null);
    return receiving.run(deliveryBody(draft, order));
  }
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
      maxWidth="72rem"
      gap="5"
      pb="6"
      lead={<chakra.p color="fg.muted">{t('purchasing.receive.text')}</chakra.p>}
    >
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
      <chakra.div maxWidth="40rem">
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
  const { name, most } = (refusal.details ?? {}) as { name?: string; most?: number };
  return (
    <div ref={(element) => element?.scrollIntoView({ block: 'nearest' })}>
      <Banner tone="refused" title={name ?? t('purchasing.receive.failed')}>
        {faultText(t, refusal)}
        {most !== undefined && ` ${t('purchasing.receive.most', { quantity: formats.quantity(most) })}`}
      </Banner>
    </div>
  );
}
