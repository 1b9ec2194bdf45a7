import { chakra } from '@chakra-ui/react';
import { useLiveQuery } from 'dexie-react-hooks';
import { Search, SearchX, UserRoundPlus, UserRoundSearch } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '../../../local-data/database.ts';
import type { PlannedPatient } from '../../../db/commands/patients.ts';
import { findPatients } from '../../../db/queries/patients.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { PatientRows } from './patient-rows.tsx';

const resultLimit = 20;

interface FindPatientProps {
  text: string;
  onText: (text: string) => void;
  onChoose: (patient: PlannedPatient) => void;
  onNew: () => void;
}

/** Searches the patients on this device. Enter chooses the result when there is exactly one. */
export function PatientSearch({ text, onText, onChoose, onNew }: FindPatientProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const found = useLiveQuery(() => findPatients(db, { text, limit: resultLimit }), [text]);
  useEffect(() => field.current?.focus(), []);
  const patients = found ?? [];

  async function press(event: KeyboardEvent): Promise<void> {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    // A fast typist presses Enter before the results are shown, so the search runs again for the current text.
    const [only, second] = await findPatients(db, { text, limit: 2 });
    if (only && !second) onChoose({ id: only.id, name: only.name, phone: only.phone, isKnown: true });
  }

  return (
    <>
      <chakra.div px="4" py="3" borderBottomWidth="1px" borderColor="border">
        <TextField
          ref={field}
          type="search"
          label={t('patients.search')}
          labelHidden
          placeholder={t('patients.search')}
          maxLength={100}
          autoComplete="off"
          autoCapitalize="words"
          spellCheck={false}
          enterKeyHint="search"
          value={text}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={(event) => void press(event)}
          start={<Search size={20} />}
        />
      </chakra.div>
      <chakra.div flex="1" minHeight="0" overflowY="auto" overscrollBehavior="contain" css={{ scrollbarWidth: 'thin' }}>
        {!text.trim() && (
          <EmptyState icon={<UserRoundSearch />} title={t('patients.empty')} text={t('patients.emptyText')} />
        )}
        {text.trim() && found && patients.length === 0 && (
          <EmptyState icon={<SearchX />} title={t('patients.noMatch')} text={t('patients.noMatchText')} />
        )}
        <PatientRows label={t('patients.found')} patients={patients} onChoose={onChoose} />
        {patients.length === resultLimit && (
          <chakra.p px="4" py="3" fontSize="sm" color="fg.muted">
            {t('patients.first', { count: resultLimit })}
          </chakra.p>
        )}
        <chakra.output display="block" srOnly>
          {text.trim() && found ? t('patients.announce', { count: patients.length }) : ''}
        </chakra.output>
      </chakra.div>
      <chakra.div
        p="4"
        paddingBottom="calc(1rem + env(safe-area-inset-bottom))"
        borderTopWidth="1px"
        borderColor="border"
      >
        <Button wide onClick={onNew}>
          <UserRoundPlus />
          {t('patients.new')}
        </Button>
      </chakra.div>
    </>
  );
}
