import { chakra } from '@chakra-ui/react';
import { CircleCheck, CircleDashed, Clock3 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AwaitedDevice, DrawerReport } from '#domain/drawer/report.ts';
import { unbroken } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Banner } from '#src/ui/banner.tsx';

type ReportStatus = Pick<DrawerReport, 'isFinal' | 'counted' | 'awaits'>;

export function ReportStatusBadge({ isFinal, counted }: ReportStatus) {
  const { t } = useTranslation();
  if (!counted) {
    return (
      <Badge tone="accent">
        <CircleDashed aria-hidden />
        {t('drawer.standing.running')}
      </Badge>
    );
  }
  return (
    <Badge tone={isFinal ? 'paid' : 'due'}>
      {isFinal ? <CircleCheck aria-hidden /> : <Clock3 aria-hidden />}
      {t(isFinal ? 'drawer.standing.final' : 'drawer.standing.provisional')}
    </Badge>
  );
}

/** Names the devices whose report is still outstanding. */
export function OutstandingDevicesBanner({ awaits }: Pick<ReportStatus, 'awaits'>) {
  const { t } = useTranslation();
  const describe = useDeviceText();
  if (awaits.length === 0) return null;
  return (
    <Banner tone="due" title={t('drawer.standing.provisionalTitle')}>
      <chakra.ul listStyleType="none">
        {awaits.map((awaited) => (
          <li key={awaited.deviceId}>{describe(awaited)}</li>
        ))}
      </chakra.ul>
      {t('drawer.standing.completes')}
    </Banner>
  );
}

function useDeviceText(): (awaited: AwaitedDevice) => string {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  return ({ deviceId, name, code, sinceMs, waiting }) => {
    if (deviceId === null) {
      return sinceMs === null
        ? t('drawer.standing.serverNever')
        : t('drawer.standing.server', { time: unbroken(dateTime(sinceMs)) });
    }
    const device = [name, code].filter(Boolean).join(' · ');
    const lastContact =
      sinceMs === null
        ? t('drawer.standing.deviceNever', { name: device })
        : t('drawer.standing.device', { name: device, time: unbroken(dateTime(sinceMs)) });
    return waiting > 0 ? `${lastContact} ${t('drawer.standing.waiting', { count: waiting })}` : lastContact;
  };
}
