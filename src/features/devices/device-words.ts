import { useTranslation } from 'react-i18next';
import type { DeviceResource, SessionResource } from '#domain/protocol/sync.ts';
import type { NounWords } from '#src/decisions/changes.ts';
import { useClinicFormats, useMoment } from '#src/formats/use-formats.ts';

/** The fields of devices and sessions in words, for what has changed since they were shown. */
export function useDeviceWords(): NounWords {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const moment = useMoment();
  const at = (instant: string) => moment(Date.parse(instant));
  return {
    name: { label: t('settings.device.name') },
    code: { label: t('decisions.code') },
    waiting: { label: t('decisions.unsent'), text: formats.quantity },
    last_sale_at: { label: t('devices.columns.sale'), text: at },
    lock_asked_at: { label: t('decisions.lockAsked'), text: at },
    revoked: {
      label: t('decisions.state'),
      text: ({ at: instant }: NonNullable<DeviceResource['revoked']>) =>
        t('devices.revoked', { date: formats.date(instant) }),
    },
    user: {
      label: t('devices.sessions.person'),
      text: ({ name, role }: SessionResource['user']) => `${name}, ${t(`roles.${role}.name`)}`,
    },
    device: {
      label: t('devices.sessions.device'),
      text: ({ name, code }: NonNullable<SessionResource['device']>) => [name, code].filter(Boolean).join(' · '),
    },
  };
}
