import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { PlannedPatient } from '#src/db/commands/patients.ts';
import type { PatientRow } from '#src/db/database.ts';

interface PatientRowsProps {
  label: string;
  patients: readonly PatientRow[];
  onChoose: (patient: PlannedPatient) => void;
}

/** Lists patients to choose from. The phone number tells patients of the same name apart. */
export function PatientRows({ label, patients, onChoose }: PatientRowsProps) {
  const { t } = useTranslation();
  if (patients.length === 0) return null;
  return (
    <chakra.ul aria-label={label} listStyleType="none">
      {patients.map(({ id, name, phone }) => (
        <chakra.li key={id} borderBottomWidth="1px" borderColor="border">
          <chakra.button
            type="button"
            onClick={() => onChoose({ id, name, phone, isKnown: true })}
            display="flex"
            flexDirection="column"
            justifyContent="center"
            width="full"
            minHeight="16"
            px="4"
            py="2"
            textAlign="start"
            cursor="pointer"
            _hover={{ bg: 'bg.hover' }}
            _focusVisible={{ outlineOffset: '-3px' }}
          >
            <chakra.span fontWeight="medium" lineHeight="1.3" overflowWrap="anywhere">
              {name}
            </chakra.span>
            <chakra.span fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
              {phone || t('patients.noPhone')}
            </chakra.span>
          </chakra.button>
        </chakra.li>
      ))}
    </chakra.ul>
  );
}
