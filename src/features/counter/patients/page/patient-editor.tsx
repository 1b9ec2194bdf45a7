import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { patientProblems } from '#domain/patient/draft.ts';
import { blankDetails, patientLimits } from '#domain/patient/patient.ts';
import type { FullPatientResource } from '#domain/patient/resources.ts';
import { isValid } from '#domain/problems.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { blankRecipient, statedRecipientProblems, tidyRecipient } from '#domain/tax/recipient.ts';
import { uuidV7 } from '#domain/uuid.ts';
import { updatePatient } from '#src/db/commands/patients.ts';
import type { PatientChange } from '#src/db/commands/patients.ts';
import { browserPorts } from '#src/db/ports.ts';
import { focusAsked, useDraftForm } from '#src/forms/draft-form.ts';
import { edited } from '#src/forms/edited-record.ts';
import { FormNotes } from '#src/forms/form-notes.tsx';
import { RecipientFields } from '#src/invoice/recipient-fields.tsx';
import { patientPaths } from '#src/server-data/patients.ts';
import { refreshData } from '#src/server-data/use-server-data.ts';
import { useWriteContext } from '#src/sync/use-write-context.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { toast } from '#src/ui/toaster.tsx';
import { useOnce } from '#src/ui/use-once.ts';

/** Names the draft of a patient's details. @param id undefined for a new patient */
export const editorDraft = (id: string | undefined): string => `patient-details:${id ?? 'new'}`;

interface PatientEditorProps {
  /** Null for a new patient. */
  known: FullPatientResource | null;
  /** True for a patient whom somebody has erased meanwhile. */
  isErased?: boolean;
  onClose: () => void;
  onDone: (id: string) => void;
}

/** Edits a patient, or enters a new one. What changes waits in the outbox like a sale, so it works offline. */
export function PatientEditor({ known, isErased = false, onClose, onDone }: PatientEditorProps) {
  const { t } = useTranslation();
  const context = useWriteContext();
  const { pending, once } = useOnce();
  // One id for all attempts, so that no second tap makes a second patient.
  const [id] = useState(() => known?.id ?? uuidV7(browserPorts.now(), browserPorts.random(10)));
  const begun = known ?? { id: '', name: '', phone: '', ...blankDetails };
  const form = useDraftForm({
    name: editorDraft(known?.id),
    initial: draftOf(begun),
    record: edited<FullPatientResource, PatientDraft>(begun, {
      draftOf,
      bodyOf,
      views: {
        name: { label: t('patients.name') },
        phone: { label: t('patients.phone') },
        email: { label: t('patients.page.email') },
        notes: { label: t('patients.page.notes') },
        recipient: { label: t('patients.page.recipient'), text: recipientWords },
      },
    }),
    problemsOf: () => ({}),
    endsWithForm: true,
  });
  const typed = form.watch();
  const { recipient } = typed;
  const [isSubmitted, setSubmitted] = useState(false);
  const tidied = tidyRecipient(recipient);
  const problems = { ...patientProblems({ ...typed, recipient: null }) };
  const recipientProblems = statedRecipientProblems(tidied);
  const errorOf = (field: 'name' | 'phone' | 'email' | 'notes') => {
    const problem = isSubmitted && problems[field];
    return problem ? t(`problems.${problem}`) : undefined;
  };
  const field = (of: 'name' | 'phone' | 'email' | 'notes') => ({
    maxLength: patientLimits[of],
    autoComplete: 'off',
    error: errorOf(of),
    ...form.register(of),
  });

  async function submit() {
    setSubmitted(true);
    if (!isValid(problems) || !isValid(recipientProblems)) return;
    if (form.isAsked()) return focusAsked();
    // Only what was changed, so that another tablet's change of the others stays.
    const change: PatientChange = { ...form.changeOf(typed)?.changes };
    if (Object.keys(change).length === 0) return onClose();
    const result = await updatePatient(context, { id, change, known });
    if (!result.ok) {
      toast({ tone: 'error', title: t('patients.page.notSaved'), text: t(`errors.${result.refusal.code}`) });
      return;
    }
    void refreshData(...patientPaths);
    onDone(id);
  }

  // Nothing of an erased patient stays, and what somebody was typing neither.
  if (isErased)
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('patients.erased')}
        width="34rem"
        actions={<Button onClick={onClose}>{t('form.close')}</Button>}
      >
        <Banner tone="refused" title={t('errors.PATIENT_ERASED')} />
      </Dialog>
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={known ? t('patients.correct') : t('patients.new')}
      width="34rem"
      onSubmit={() => void once(submit)}
      actions={
        <>
          <Button onClick={onClose}>{t('form.cancel')}</Button>
          <Button type="submit" variant="primary" disabled={pending}>
            {t('patients.save')}
          </Button>
        </>
      }
    >
      <FormNotes form={form} />
      <TextField label={t('patients.name')} autoCapitalize="words" spellCheck={false} {...field('name')} />
      <chakra.div display="grid" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4">
        <TextField label={t('patients.phone')} type="tel" {...field('phone')} />
        <TextField label={t('patients.page.email')} type="email" spellCheck={false} {...field('email')} />
      </chakra.div>
      <TextArea label={t('patients.page.notes')} hint={t('patients.page.notesHint')} {...field('notes')} />
      <chakra.fieldset display="flex" flexDirection="column" gap="4" borderTopWidth="1px" borderColor="border" pt="4">
        <chakra.legend float="left" fontWeight="semibold" mb="3">
          {t('patients.page.recipient')}
        </chakra.legend>
        <RecipientFields
          typed={recipient}
          usualName={typed.name.trim()}
          problems={isSubmitted ? recipientProblems : {}}
          onChange={(next) => form.setValue('recipient', next, { shouldDirty: true })}
          onKindChange={() => setSubmitted(false)}
        />
      </chakra.fieldset>
    </Dialog>
  );
}

const isBlank = ({ name, tax_id, address, postal_code, city }: Recipient): boolean =>
  [name, tax_id, address, postal_code, city].every((text) => text === '');

const draftOf = ({ name, phone, email, notes, recipient }: FullPatientResource) => ({
  name,
  phone,
  email,
  notes,
  recipient: recipient ?? blankRecipient,
});
type PatientDraft = ReturnType<typeof draftOf>;

function bodyOf({ name, phone, email, notes, recipient }: PatientDraft): PatientChange {
  const tidied = tidyRecipient(recipient);
  return {
    name: name.trim(),
    phone: phone.trim(),
    email: email.trim(),
    notes: notes.trim(),
    recipient: isBlank(tidied) ? null : tidied,
  };
}

const recipientWords = ({ name, tax_id, address, postal_code, city }: Recipient): string =>
  [name, tax_id, address, `${postal_code} ${city}`].filter((text) => text.trim() !== '').join('\n');
