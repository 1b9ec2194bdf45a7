import { useTranslation } from 'react-i18next';
import type { UserClaims } from '#domain/staff/roles.ts';
import type { NounWords } from '#src/decisions/changes.ts';

/** The fields of a staff member in words, for what has changed since they were shown. */
export function useStaffWords(): NounWords {
  const { t } = useTranslation();
  return {
    name: { label: t('staff.columns.name') },
    email: { label: t('staff.columns.email') },
    phone: { label: t('profile.data.phone') },
    role: { label: t('staff.columns.role'), text: (role: UserClaims['role']) => t(`roles.${role}.name`) },
    status: { label: t('staff.columns.status'), text: (status: UserClaims['status']) => t(`staff.status.${status}`) },
  };
}
