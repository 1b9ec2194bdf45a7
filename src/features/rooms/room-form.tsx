import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { wholeForm } from '#domain/decimal.ts';
import { blankRoom, minSeats, roomProblems } from '#domain/room/draft.ts';
import type { RoomDraft } from '#domain/room/draft.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import { FormNumberField } from '#src/forms/number-field.tsx';
import { edited } from '#src/forms/edited-record.ts';
import { useSaveRecord } from '#src/forms/use-save-record.ts';
import { requestSync } from '#src/sync/sync-host.ts';
import type { LocalRoom } from '#src/db/queries/rooms.ts';
import { FormDialog } from '#src/forms/form-frames.tsx';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { TextField } from '#src/ui/text-field.tsx';

const blank: RoomDraft = { ...blankRoom, capacity: minSeats };

interface RoomFormProps {
  room: LocalRoom | 'new';
  /** True for a room that somebody has deleted. */
  isGone: boolean;
  /** Existing locations, offered as suggestions. */
  locations: string[];
  onClose: () => void;
}

export function RoomForm({ room, isGone, locations, onClose }: RoomFormProps) {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  const locationsId = useId();
  const isNew = room === 'new';
  const form = useDraftForm<RoomDraft>({
    name: `room:${isNew ? 'new' : room.id}`,
    initial: blank,
    record: edited<LocalRoom, RoomDraft>(room, {
      draftOf: ({ number, capacity, location }) => ({ number, capacity, location }),
      views: {
        number: { label: t('rooms.fields.number') },
        capacity: { label: t('rooms.fields.capacity') },
        location: { label: t('rooms.fields.location') },
      },
    }),
    problemsOf: roomProblems,
  });
  const { register, errorOf } = form;
  const { save } = useSaveRecord({
    form,
    path: isNew ? 'tables' : `tables/${room.id}`,
    refreshes: [],
    done: ({ number }) => t(isNew ? 'rooms.done.created' : 'rooms.done.updated', { room: nameOf(number.trim()) }),
    failed: t(isNew ? 'rooms.failed.create' : 'rooms.failed.update'),
    keepAs: `room:${isNew ? 'new' : room.id}:sent`,
    onStored: () => requestSync('asked'),
  });
  return (
    <FormDialog
      width="28rem"
      form={form}
      title={t(isNew ? 'rooms.form.createTitle' : 'rooms.form.editTitle')}
      isNew={isNew}
      submitLabel={t(isNew ? 'rooms.form.create' : 'rooms.form.update')}
      save={save}
      over={isGone ? t('errors.ROOM_NOT_FOUND') : undefined}
      onClose={onClose}
    >
      <TextField
        label={t('rooms.fields.number')}
        hint={t('rooms.form.numberHint')}
        autoComplete="off"
        error={errorOf('number')}
        {...register('number')}
      />
      <FormNumberField
        form={form}
        name="capacity"
        kind={wholeForm}
        step={1}
        label={t('rooms.fields.capacity')}
        hint={t('rooms.form.capacityHint')}
        error={errorOf('capacity')}
      />
      <TextField
        label={t('rooms.fields.location')}
        hint={t('rooms.form.locationHint')}
        autoComplete="off"
        list={locationsId}
        error={errorOf('location')}
        {...register('location')}
      />
      <datalist id={locationsId}>
        {locations.map((location) => (
          <option key={location}>{location}</option>
        ))}
      </datalist>
    </FormDialog>
  );
}
