import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { wholeForm } from '#domain/decimal.ts';
import { blankRoom, minSeats, roomProblems } from '#domain/room/draft.ts';
import type { RoomDraft } from '#domain/room/draft.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import { FormNumberField } from '#src/forms/number-field.tsx';
import { callServer } from '#src/api/client.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { requestSync } from '#src/sync/sync-host.ts';
import type { LocalRoom } from '#src/db/queries/rooms.ts';
import { FormDialog } from '#src/forms/form-frames.tsx';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { TextField } from '#src/ui/text-field.tsx';

const blank: RoomDraft = { ...blankRoom, capacity: minSeats };

interface RoomFormProps {
  room: LocalRoom | 'new';
  /** Existing locations, offered as suggestions. */
  locations: string[];
  onClose: () => void;
}

export function RoomForm({ room, locations, onClose }: RoomFormProps) {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  const locationsId = useId();
  const isNew = room === 'new';
  const [initial] = useState<RoomDraft>(() =>
    isNew ? blank : { number: room.number, capacity: room.capacity, location: room.location },
  );
  const form = useDraftForm<RoomDraft>({ name: `room:${isNew ? 'new' : room.id}`, initial, problemsOf: roomProblems });
  const { register, errorOf } = form;
  const saving = useServerCall(
    (draft: RoomDraft, headers) =>
      isNew ? callServer('post', 'tables', draft, headers) : callServer('put', `tables/${room.id}`, draft, headers),
    {
      refreshes: [],
      done: ({ number }) => t(isNew ? 'rooms.done.created' : 'rooms.done.updated', { room: nameOf(number.trim()) }),
      failed: t(isNew ? 'rooms.failed.create' : 'rooms.failed.update'),
      onRefused: form.takeRefusal,
    },
  );
  async function save(draft: RoomDraft) {
    const isSaved = await saving.run(draft);
    if (isSaved) requestSync('asked');
    return isSaved;
  }
  return (
    <FormDialog
      width="28rem"
      form={form}
      title={t(isNew ? 'rooms.form.createTitle' : 'rooms.form.editTitle')}
      isNew={isNew}
      submitLabel={t(isNew ? 'rooms.form.create' : 'rooms.form.update')}
      save={save}
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
