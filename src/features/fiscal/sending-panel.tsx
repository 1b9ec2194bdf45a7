import { chakra, Flex } from '@chakra-ui/react';
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
import { LoadError } from '#src/server-data/load-error.tsx';
import { useMay, useSession } from '#src/session/session.ts';
import { Banner } from '#src/ui/banner.tsx';
import { buttonClass } from '#src/ui/button.tsx';
import { FigureStrip } from '#src/ui/figure-strip.tsx';
import { Heading } from './heading.tsx';

/** What waits for the tax agency, and why; that nothing is sent, in a clinic without VERI*FACTU. */
export function SendingPanel() {
  const { t } = useTranslation();
  const { day } = useClinicFormats();
  const moment = useMoment();
  const settings = useClinicSettings();
  const sending = useSendingStatus();
  const status = sending.value?.data;
  const { verifactu_since: since, time_zone: timeZone } = settings;
  const nowMs = useMinute();
  const today = businessDay(nowMs, timeZone);
  const isOn = isSentOn(settings, today);
  if (sending.fault) return <LoadError data={sending} />;
  // Without the profile there is nothing to say, and after the end of VERI*FACTU the rest is still sent.
  if (!isOn && !status?.counts.unsent) {
    if (settings.tax_profile === 'none') return null;
    const isComing = since !== '' && since > today;
    return (
      <Banner title={t('fiscal.off.title')} actions={<SettingsLink />}>
        {isComing ? t('fiscal.off.from', { day: day(since) }) : t('fiscal.off.text')}
      </Banner>
    );
  }
  const at = (time: string) => moment(Date.parse(time));
  return (
    <section aria-labelledby="fiscal-sending">
      <Heading id="fiscal-sending">{t('fiscal.sending.title')}</Heading>
      <Flex direction="column" gap="3">
        {status && <Trouble status={status} />}
        <FigureStrip
          figures={[
            {
              label: t('fiscal.sending.unsent'),
              value: status && String(status.counts.unsent),
              tone: status && status.failures > 0 && status.counts.unsent > 0 ? ('refused' as const) : undefined,
            },
            {
              label: t('fiscal.sending.oldest'),
              value: status && (status.unsent_since === null ? t('fiscal.sending.none') : at(status.unsent_since)),
            },
            {
              label: t('fiscal.sending.lastReply'),
              value: status && (status.last_reply_at === null ? t('fiscal.sending.never') : at(status.last_reply_at)),
            },
            { label: t('fiscal.sending.nextCall'), value: status && nextCall(status) },
          ].map(({ value, ...figure }) => ({ ...figure, value: value && <Small>{value}</Small> }))}
        />
      </Flex>
    </section>
  );

  function nextCall({ can_send, certificate, counts, next_call_at }: SendingStatus): string {
    if (!can_send || !certificate) return t('fiscal.sending.none');
    if (counts.unsent === 0) return t('fiscal.sending.whenDue');
    const isDue = next_call_at === null || Date.parse(next_call_at) <= nowMs;
    return isDue ? t('fiscal.sending.soon') : at(next_call_at);
  }
}

/** Figures that may be words. */
const Small = chakra('span', { base: { fontSize: 'md', overflowWrap: 'anywhere' } });

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
