import { useTranslation } from 'react-i18next';
import { useOldestResponse, useRefresh } from '../../../server-data/use-server-data.ts';
import { PageFrame } from '../../../back-office/page-frame.tsx';
import { CategoryList } from './category-list.tsx';

/** Categories as a section of its own. The stock section shows the same list as a tab. */
export function CategoriesScreen() {
  const { t } = useTranslation();
  const refresh = useRefresh('categories');
  return (
    <PageFrame
      title={t('categories.title')}
      text={t('categories.text')}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={useOldestResponse()}
    >
      <CategoryList />
    </PageFrame>
  );
}
