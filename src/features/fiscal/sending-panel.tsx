import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { businessDay } from '#domain/business-day.ts';
import type { SendingStatus } from '#domain/fiscal/resources.ts';
import { isSentOn } from '#domain/settings/verifactu.ts';
import { useMinute } from '#src/formats/clock.ts';
import { useClinicFormats, useMoment } from '#src/formats/use-formats.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { pathOf } from '#src/navigation/path-of.ts';
import { useSendingStatus } from '#src/server-data/fiscal.ts';
import { useMay, useSession } from '#src/session/session.ts';
import { Banner } from '#src/ui/banner.tsx';
import { buttonClass } from '#src/ui/button.tsx';

/** Why nothing is sent, where somebody has to do something about it. */
export function SendingTrouble() {
  const sending = useSendingStatus();
  const isOn = useIsOn(sending.value?.data);
  return isOn && sending.value ? <Trouble status={sending.value.data} /> : null;
}

/** Without the profile there is nothing to say, and after the end of VERI*FACTU the rest is still sent. */
function useIsOn(status: SendingStatus | undefined): boolean {
  const settings = useClinicSettings();
  const today = businessDay(useMinute(), settings.time_zone);
  return isSentOn(settings, today) || Boolean(status?.counts.unsent);
}

/** In the line above the records: what waits for the tax agency; that nothing is sent, in a clinic without VERI*FACTU. */
export function SendingLine() {
  const { t } = useTranslation();
  const { day } = useClinicFormats();
  const moment = useMoment();
  const { verifactu_since: since, tax_profile: profile, time_zone: timeZone } = useClinicSettings();
  const status = useSendingStatus().value?.data;
  const nowMs = useMinute();
  const isOn = useIsOn(status);
  if (!isOn) {
    if (profile === 'none') return null;
    const isComing = since !== '' && since > businessDay(nowMs, timeZone);
    return (
      <Line as="p" fontSize="sm" color="fg.muted">
        <chakra.span flex="1 1 14rem">
          {isComing ? t('fiscal.off.from', { day: day(since) }) : t('fiscal.off.text')}
        </chakra.span>
        <SettingsLink />
      </Line>
    );
  }
  if (!status) return null;
  const { counts, failures, unsent_since, last_reply_at } = status;
  const at = (time: string | null, otherwise: 'none' | 'never') =>
    time === null ? t(`fiscal.sending.${otherwise}`) : moment(Date.parse(time));
  const figures = [
    [t('fiscal.sending.unsent'), String(counts.unsent)],
    ...(counts.unsent > 0 ? [[t('fiscal.sending.oldest'), at(unsent_since, 'none')]] : []),
    [t('fiscal.sending.lastReply'), at(last_reply_at, 'never')],
    ...(counts.unsent > 0 ? [[t('fiscal.sending.nextCall'), nextCall(status)]] : []),
  ];
  return (
    <Line as="section" aria-label={t('fiscal.sending.title')} lineHeight="1.35">
      {figures.map(([label, value], index) => (
        <div key={label}>
          <chakra.p fontSize="sm" color="fg.muted">
            {label}
          </chakra.p>
          <chakra.p
            fontWeight="medium"
            fontVariantNumeric="tabular-nums"
            color={index === 0 && failures > 0 && counts.unsent > 0 ? 'refused.fg' : 'fg'}
          >
            {value}
          </chakra.p>
        </div>
      ))}
    </Line>
  );

  function nextCall({ can_send, certificate, next_call_at }: SendingStatus): string {
    if (!can_send || !certificate) return t('fiscal.sending.none');
    const isDue = next_call_at === null || Date.parse(next_call_at) <= nowMs;
    return isDue ? t('fiscal.sending.soon') : at(next_call_at, 'none');
  }
}

/** Below the filters on a phone, and at their end elsewhere. */
const Line = chakra('div', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '5',
    rowGap: '2',
    maxWidth: 'full',
    marginInlineStart: { base: '0', md: 'auto' },
  },
});

/** Why nothing is sent at present. */
function Trouble({ status: { can_send, certificate, failures, counts } }: { status: SendingStatus }) {
  const { t } = useTranslation();
  if (!can_send)
    return (
      <Banner tone="due" title={t('fiscal.sending.noAddress.title')}>
        {t('fiscal.sending.noAddress.text')}
      </Banner>
    );
  if (!certificate)
    return (
      <Banner tone="due" title={t('fiscal.sending.noCertificate.title')} actions={<SettingsLink />}>
        {t('fiscal.sending.noCertificate.text')}
      </Banner>
    );
  if (failures === 0 || counts.unsent === 0) return null;
  return (
    <Banner tone="due" title={t('fiscal.sending.failing.title')}>
      {t('fiscal.sending.failing.text', { count: failures })}
    </Banner>
  );
}

function SettingsLink() {
  const { t } = useTranslation();
  const role = useSession(({ user }) => user?.role) ?? 'counter';
  if (!useMay('settings.write')) return null;
  return (
    <Link to={pathOf(role, 'settings')} className={buttonClass({ size: 'sm' })}>
      {t('fiscal.toSettings')}
    </Link>
  );
}
