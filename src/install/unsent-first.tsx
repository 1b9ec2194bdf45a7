import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Role } from '#domain/staff/roles.ts';
import { pathOf } from '../navigation/path-of.ts';
import { useSession } from '../session/session.ts';
import { useOutboxSummary } from '../sync/use-outbox-summary.ts';
import { buttonClass } from '../ui/button.tsx';

/** Returns the address of the outbox with the rescue file open. */
export const rescuePath = (role: Role, mode: 'save' | 'import'): string => `${pathOf(role, 'outbox')}?rescue=${mode}`;

/** Tells how unsent work of this tab comes into the installed app, which does not share its storage. */
export function UnsentFirst({ onLeave }: { onLeave: (() => void) | undefined }) {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  const count = useOutboxSummary()?.waiting ?? 0;
  if (count === 0) return null;
  return (
    <>
      <p>{t('app.install.unsent', { count })}</p>
      {user && (
        <Link to={rescuePath(user.role, 'save')} className={buttonClass({})} onClick={onLeave}>
          {t('app.install.save')}
        </Link>
      )}
    </>
  );
}
