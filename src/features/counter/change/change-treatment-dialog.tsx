import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { billedLineIds, lineTotal } from '#domain/order/order.ts';
import type { OrderLine } from '#domain/order/order.ts';
import { milliFromWire, milliToWire } from '#domain/quantity.ts';
import { changeTreatment } from '#src/db/commands/change-treatment.ts';
import type { TreatmentChange } from '#src/db/commands/change-treatment.ts';
import type { OrderRow } from '#src/db/database.ts';
import { findPatients } from '#src/db/queries/patients.ts';
import { localRooms } from '#src/db/queries/rooms.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { db } from '#src/local-data/database.ts';
import { usePrintingContext } from '#src/printing/use-printing-context.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { SelectField } from '#src/ui/select-field.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { toast } from '#src/ui/toaster.tsx';
import { useOnce } from '#src/ui/use-once.ts';
import { StyledButton, StyledIconButton } from '#src/ui/styled.tsx';
import { QuantityStepper } from '../create/quantity-stepper.tsx';
import { PatientRows } from '../patients/patient-rows.tsx';
import { useRefusalToast } from '../use-refusal-toast.ts';

/** Changes the services, the room and the patient of an open treatment. Nothing is written before it is saved. */
export function ChangeTreatmentDialog({ order, onClose }: { order: OrderRow; onClose: () => void }) {
  const { t } = useTranslation();
  const context = usePrintingContext();
  const showRefusal = useRefusalToast();
  const { pending, once } = useOnce();
  const [quantities, setQuantities] = useState<ReadonlyMap<string, number>>(new Map());
  const [room, setRoom] = useState<TreatmentChange['room']>();
  const [patient, setPatient] = useState<Pick<TreatmentChange, 'patient' | 'customerName'>>({});
  /** True while a text in the field of the patient names nobody yet. */
  const [isSought, setSought] = useState(false);
  const [isSubmitted, setSubmitted] = useState(false);
  const billed = billedLineIds(order.invoices);
  const setQuantity = (lineId: string, quantity: number) => setQuantities(new Map(quantities).set(lineId, quantity));
  // A line of the treatment may have gone meanwhile, on another tablet.
  const lines = order.lines.map((line) => {
    const before = milliToWire(line.quantityMilli);
    return { line, before, quantity: quantities.get(line.lineId) ?? before };
  });
  const removed = lines.filter(({ quantity }) => quantity === 0).map(({ line }) => line.lineId);
  const changed = lines.filter(({ before, quantity }) => quantity !== 0 && quantity !== before);
  const isLast = lines.length - removed.length === 1;
  const isChanged =
    removed.length + changed.length > 0 || room !== undefined || isSought || Object.keys(patient).length > 0;
  const totalMinor = lines.reduce((sum, { line, quantity }) => sum + worth(line, quantity), 0);

  async function save(): Promise<void> {
    const result = await changeTreatment(context(), {
      orderId: order.id,
      removed,
      quantities: new Map(changed.map(({ line, quantity }) => [line.lineId, quantity])),
      room,
      ...patient,
    });
    if (!result.ok) return showRefusal(t('counter.amend.failed'), result.refusal);
    toast({ tone: 'success', title: t('counter.amend.done', { number: order.number }) });
    onClose();
  }

  function submit(): void {
    setSubmitted(true);
    if (isChanged && !isSought) void once(save);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('counter.amend.title', { number: order.number })}
      width="36rem"
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{t('form.cancel')}</Button>
          <Button type="submit" variant="primary" disabled={!isChanged || pending}>
            {t('counter.amend.save')}
          </Button>
        </>
      }
    >
      <chakra.ul listStyleType="none" aria-label={t('counter.amend.services')}>
        {lines.map(({ line, quantity }) => (
          <LineRow
            key={line.lineId}
            line={line}
            quantity={quantity}
            isInvoiced={billed.has(line.lineId)}
            isLast={isLast && quantity !== 0}
            onQuantity={(value) => setQuantity(line.lineId, value)}
            onUndo={() => setQuantity(line.lineId, milliToWire(line.quantityMilli))}
          />
        ))}
      </chakra.ul>
      <Flex justify="space-between" fontWeight="semibold" fontVariantNumeric="tabular-nums">
        <span>{t('counter.amend.services')}</span>
        <MoneyText minor={totalMinor} currency={order.currency} />
      </Flex>
      {order.discountMinor > 0 && (
        <chakra.p fontSize="sm" color="fg.muted">
          {t('counter.amend.discount')}
        </chakra.p>
      )}
      {/* One below the other: a long name needs the width. */}
      <Flex direction="column" gap="4">
        <RoomField order={order} room={room} onRoom={setRoom} />
        <PatientField
          order={order}
          onPatient={(chosen) => {
            setSought(chosen === null);
            setPatient(chosen ?? {});
          }}
          error={isSubmitted && isSought ? t('patients.chooseOrConfirm') : undefined}
        />
      </Flex>
    </Dialog>
  );
}

const worth = (line: OrderLine, quantity: number): number =>
  lineTotal({ ...line, quantityMilli: milliFromWire(quantity) });

interface LineRowProps {
  line: OrderLine;
  /** 0 for a line that is to be removed. */
  quantity: number;
  isInvoiced: boolean;
  isLast: boolean;
  onQuantity: (quantity: number) => void;
  onUndo: () => void;
}

function LineRow({ line, quantity, isInvoiced, isLast, onQuantity, onUndo }: LineRowProps) {
  const { t } = useTranslation();
  const { name } = line;
  const isRemoved = quantity === 0;
  const mayRemove = !isLast && !isInvoiced;
  return (
    <chakra.li
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="3"
      minHeight="16"
      py="2"
      borderBottomWidth="1px"
      borderColor="border"
    >
      <chakra.span flex="1 1 9rem" minWidth="0" overflowWrap="anywhere" lineHeight="1.35">
        <chakra.span
          display="block"
          fontWeight="medium"
          color={isRemoved ? 'fg.muted' : 'fg'}
          textDecoration={isRemoved ? 'line-through' : 'none'}
        >
          {name}
        </chakra.span>
        {isInvoiced && (
          <chakra.span fontSize="sm" color="fg.muted">
            {t('counter.amend.invoiced')}
          </chakra.span>
        )}
      </chakra.span>
      {isRemoved && (
        <Button variant="quiet" aria-label={t('counter.amend.undoFor', { name })} onClick={onUndo}>
          <RotateCcw />
          {t('counter.plan.undo')}
        </Button>
      )}
      {isInvoiced && (
        <chakra.span fontVariantNumeric="tabular-nums">{`${milliToWire(line.quantityMilli)} ×`}</chakra.span>
      )}
      {!isRemoved && !isInvoiced && (
        // On a phone below the name.
        <Flex align="center" gap="3" ms="auto">
          <QuantityStepper
            name={name}
            quantity={quantity}
            onChange={onQuantity}
            onRemove={() => mayRemove && onQuantity(0)}
          />
          <StyledIconButton
            label={t('counter.amend.remove', { name })}
            disabled={!mayRemove}
            color="fg.muted"
            onClick={() => onQuantity(0)}
          >
            <Trash2 />
          </StyledIconButton>
        </Flex>
      )}
    </chakra.li>
  );
}

interface RoomFieldProps {
  order: OrderRow;
  room: TreatmentChange['room'];
  onRoom: (room: TreatmentChange['room']) => void;
}

function RoomField({ order, room, onRoom }: RoomFieldProps) {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  const rooms = useLiveQuery(() => localRooms(db), []) ?? [];
  if (rooms.length === 0) return null;
  const now = room === undefined ? order.roomId : (room?.id ?? null);
  const isGone = order.roomId !== null && !rooms.some(({ id }) => id === order.roomId);
  const options = [
    { value: '', label: t('counter.room.none') },
    ...(isGone ? [{ value: String(order.roomId), label: nameOf(order.roomNumber) }] : []),
    ...rooms.map(({ id, number }) => ({ value: String(id), label: nameOf(number) })),
  ];
  function choose(value: string): void {
    const chosen = rooms.find(({ id }) => String(id) === value);
    if (value === String(order.roomId ?? '')) onRoom(undefined);
    else onRoom(chosen ? { id: chosen.id, number: chosen.number } : null);
  }
  return (
    <chakra.div minWidth="0">
      <SelectField
        label={t('counter.room.label')}
        options={options}
        value={String(now ?? '')}
        onChange={(event) => choose(event.target.value)}
      />
    </chakra.div>
  );
}

const mostSuggested = 4;

interface PatientFieldProps {
  order: OrderRow;
  /** Called with null while the text names nobody yet. */
  onPatient: (patient: Pick<TreatmentChange, 'patient' | 'customerName'> | null) => void;
  error: string | undefined;
}

/**
 * Whom the treatment is of. Text finds registered patients; it names somebody only when it is confirmed, because a wrong name
 * prints.
 */
function PatientField({ order, onPatient, error }: PatientFieldProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(order.customerName);
  const [isTyped, setIsTyped] = useState(false);
  const found =
    useLiveQuery(() => (isTyped ? findPatients(db, { text, limit: mostSuggested }) : []), [text, isTyped]) ?? [];
  const name = text.trim();
  function type(typed: string): void {
    setText(typed);
    const isOther = typed.trim() !== order.customerName;
    setIsTyped(isOther);
    // An empty field says that the treatment is nobody's.
    onPatient(!isOther ? {} : typed.trim() === '' ? { patient: null, customerName: '' } : null);
  }
  function take(shown: string, chosen: Pick<TreatmentChange, 'patient' | 'customerName'>): void {
    setText(shown);
    setIsTyped(false);
    onPatient(chosen);
  }
  return (
    <chakra.div minWidth="0">
      <TextField
        label={t('patients.title')}
        maxLength={200}
        autoComplete="off"
        value={text}
        error={error}
        onChange={(event) => type(event.target.value)}
      />
      {isTyped && name !== '' && (
        <StyledButton
          variant="quiet"
          wide
          px="4"
          justifyContent="flex-start"
          textAlign="start"
          whiteSpace="normal"
          overflowWrap="anywhere"
          onClick={() => take(name, { patient: null, customerName: name })}
        >
          {t('patients.confirmName', { name })}
        </StyledButton>
      )}
      {found.length > 0 && (
        <PatientRows
          label={t('patients.found')}
          patients={found}
          onChoose={(patient) => take(patient.name, { patient })}
        />
      )}
    </chakra.div>
  );
}
