import { chakra } from '@chakra-ui/react';
import { CircleCheck, CircleDashed, Clock3 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AwaitedDevice, DrawerReport } from '../../../domain/drawer/report.ts';
import { useClinicFormats } from '../../formats/use-formats.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';

type Standing = Pick<DrawerReport, 'isFinal' | 'counted' | 'awaits'>;

/** Whether the figures can still change. */
export function ReportStatusBadge({ isFinal, counted }: Standing) {
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

/** Names whose work may be missing; nothing once all have reported. */
export function OutstandingDevicesBanner({ awaits }: Pick<Standing, 'awaits'>) {
  const { t } = useTranslation();
  const sentence = useAwaitedSentence();
  if (awaits.length === 0) return null;
  return (
    <Banner tone="due" title={t('drawer.standing.provisionalTitle')}>
      <chakra.ul listStyleType="none">
        {awaits.map((awaited) => (
          <li key={awaited.deviceId}>{sentence(awaited)}</li>
        ))}
      </chakra.ul>
      {t('drawer.standing.completes')}
    </Banner>
  );
}

function useAwaitedSentence(): (awaited: AwaitedDevice) => string {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  return ({ deviceId, name, code, sinceMs, waiting }) => {
    if (deviceId === null) {
      return sinceMs === null
        ? t('drawer.standing.serverNever')
        : t('drawer.standing.server', { time: dateTime(sinceMs) });
    }
    const device = [name, code].filter(Boolean).join(' · ');
    const heard =
      sinceMs === null
        ? t('drawer.standing.deviceNever', { name: device })
        : t('drawer.standing.device', { name: device, time: dateTime(sinceMs) });
    return waiting > 0 ? `${heard} ${t('drawer.standing.waiting', { count: waiting })}` : heard;
  };
}
