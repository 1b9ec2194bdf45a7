import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { patientProblems } from '#domain/patient/draft.ts';
import { patientLimits } from '#domain/patient/patient.ts';
import { isValid } from '#domain/problems.ts';
import { uuidV7 } from '#domain/uuid.ts';
import { db } from '#src/local-data/database.ts';
import type { PlannedPatient } from '#src/db/commands/patients.ts';
import { browserPorts } from '#src/db/ports.ts';
import { findPatients } from '#src/db/queries/patients.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import { edited } from '#src/forms/edited-record.ts';
import { FormNotes } from '#src/forms/form-notes.tsx';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { PatientRows } from './patient-rows.tsx';

const duplicateLimit = 3;
const newId = () => uuidV7(browserPorts.now(), browserPorts.random(10));

/** Names the draft of a patient's form. @param id undefined for a new patient */
export const patientDraft = (id: string | undefined): string => `patient:${id ?? 'new'}`;

interface PatientFormProps {
  /** The patient to edit; undefined for a new patient. */
  known: PlannedPatient | undefined;
  /** The text of the search, which starts the form of a new patient. */
  searchText: string;
  onDone: (patient: PlannedPatient) => void;
}

/** Edits a patient's name and phone number. They are sent with the treatment, so the form works offline. */
export function PatientForm({ known, searchText, onDone }: PatientFormProps) {
  const { t } = useTranslation();
  const isName = /\p{L}/u.test(searchText);
  const form = useDraftForm({
    name: patientDraft(known?.id),
    initial: { name: isName ? searchText.trim() : '', phone: isName ? '' : searchText.trim() },
    record: edited<PlannedPatient, { name: string; phone: string }>(known ?? 'new', {
      draftOf: ({ name: knownName, phone }) => ({ name: knownName, phone }),
      views: { name: { label: t('patients.name') }, phone: { label: t('patients.phone') } },
    }),
    problemsOf: patientProblems,
    endsWithForm: true,
  });
  const { setFocus } = form;
  const name = form.watch('name');
  useEffect(() => setFocus('name'), [setFocus]);

  function use(draft: { name: string; phone: string }) {
    const entered = { name: draft.name.trim(), phone: draft.phone.trim() };
    const isKnown = known?.isKnown === true && entered.name === known.name && entered.phone === known.phone;
    onDone({ id: known?.id ?? newId(), ...entered, isKnown });
  }

  return (
    <chakra.form
      noValidate
      onSubmit={(event) => void form.handleSubmit(use)(event)}
      display="flex"
      flexDirection="column"
      flex="1"
      minHeight="0"
    >
      <Flex direction="column" gap="4" p="4" flex="1" minHeight="0" overflowY="auto">
        <FormNotes form={form} />
        <TextField
          label={t('patients.name')}
          maxLength={patientLimits.name}
          autoComplete="off"
          autoCapitalize="words"
          spellCheck={false}
          error={form.errorOf('name')}
          {...form.register('name')}
        />
        <TextField
          label={t('patients.phone')}
          hint={t('patients.phoneHint')}
          type="tel"
          maxLength={patientLimits.phone}
          autoComplete="off"
          error={form.errorOf('phone')}
          {...form.register('phone')}
        />
        <chakra.p fontSize="sm" color="fg.muted">
          {t('patients.travels')}
        </chakra.p>
        {!known && <PossibleDuplicates name={name} onChoose={onDone} />}
      </Flex>
      <chakra.div
        p="4"
        paddingBottom="calc(1rem + env(safe-area-inset-bottom))"
        borderTopWidth="1px"
        borderColor="border"
      >
        <Button type="submit" variant="primary" wide>
          {known ? t('patients.save') : t('patients.add')}
        </Button>
      </chakra.div>
    </chakra.form>
  );
}

/** Offers patients of the same name, because two records of one patient cannot be merged later. */
function PossibleDuplicates({ name, onChoose }: { name: string; onChoose: (patient: PlannedPatient) => void }) {
  const { t } = useTranslation();
  const text = isValid(patientProblems({ name, phone: '' })) ? name : '';
  const patients = useLiveQuery(() => findPatients(db, { text, limit: duplicateLimit }), [text]) ?? [];
  if (patients.length === 0) return null;
  return (
    <chakra.section mx="-4" borderTopWidth="1px" borderColor="border">
      <chakra.h3 px="4" pt="4" pb="1" fontSize="sm" fontWeight="medium" color="fg.muted">
        {t('patients.alike')}
      </chakra.h3>
      <PatientRows label={t('patients.alike')} patients={patients} onChoose={onChoose} />
    </chakra.section>
  );
}
