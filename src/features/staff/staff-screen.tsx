import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { staffPaths } from '#src/server-data/staff.ts';
import { useOldestResponse, useRefresh } from '#src/server-data/use-server-data.ts';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { Button } from '#src/ui/button.tsx';
import { StaffForm } from './staff-form.tsx';
import { StaffList } from './staff-list.tsx';

/** Staff section. The form covers the list while a user is created or edited. */
export function StaffScreen() {
  const { t } = useTranslation();
  const refresh = useRefresh(...staffPaths);
  const oldSince = useOldestResponse();
  const [isAdding, setAdding] = useState(false);
  const add = () => setAdding(true);
  return (
    <PageFrame
      title={t('staff.title')}
      text={t('staff.text')}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={oldSince}
      actions={
        <Button variant="primary" onClick={add}>
          <UserPlus />
          {t('staff.add')}
        </Button>
      }
    >
      <StaffList onAdd={add} />
      {isAdding && <StaffForm user="new" onClose={() => setAdding(false)} />}
    </PageFrame>
  );
}
