import { Landmark } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { isSentOn } from '#domain/settings/verifactu.ts';
import { may } from '#domain/permissions.ts';
import { useToday } from '../formats/clock.ts';
import { useClinicSettings } from '../local-data/use-clinic-settings.ts';
import { pathOf } from '../navigation/path-of.ts';
import { useSession } from '../session/session.ts';
import { useOutboxSummary } from '../sync/use-outbox-summary.ts';
import { toneVariables } from '../ui/tone.ts';
import text from '../ui/text.module.css';
import styles from './sync-pill.module.css';

/**
 * Shows the number of fiscal records that the tax agency lacks, which the law wants always on screen: those that wait on
 * this device, and those of the whole clinic that the server had at the last contact.
 */
export function UnsentRecords() {
  const { t } = useTranslation();
  const settings = useClinicSettings();
  const today = useToday();
  const count = useOutboxSummary()?.unsentRecords ?? 0;
  const role = useSession(({ user }) => user?.role);
  if (!role || today === undefined || settings.verifactu_since === '') return null;
  // What was issued before the end of VERI*FACTU is still sent after it.
  if (!isSentOn(settings, today) && count === 0) return null;
  const pill = (
    <span className={styles['pill']} data-tone="neutral" style={toneVariables('neutral')}>
      <Landmark size={16} aria-hidden />
      <span className={styles['words']} aria-hidden>
        {t('fiscal.unsent.short')}
      </span>
      <span aria-hidden>{count}</span>
      <span className={text['srOnly']}>{t('fiscal.unsent.label', { count })}</span>
    </span>
  );
  return may(role, 'fiscal.read') ? (
    <Link to={pathOf(role, 'fiscal')} className={styles['link']}>
      {pill}
    </Link>
  ) : (
    pill
  );
}
