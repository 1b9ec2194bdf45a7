import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { AttentionGroup, CauseGroup } from './attention-group.tsx';
import { AttentionItem } from './attention-item.tsx';
import { groupItems, isSharedCause } from './group-items.ts';

function Group({ items }: { items: readonly AttentionResource[] }) {
  const { kind } = items[0]!;
  return isSharedCause(kind) ? <CauseGroup cause={kind} items={items} /> : <AttentionGroup items={items} />;
}

/** Lists the attention items of all devices, so that a refusal is not lost with its device (SYNC-4). */
export function ServerAttention({ items }: { items: AttentionResource[] }) {
  const { t } = useTranslation();
  return (
    <chakra.section aria-labelledby="outbox-elsewhere" display="flex" flexDirection="column" gap="3">
      <div>
        <chakra.h2 id="outbox-elsewhere" fontSize="lg" fontWeight="semibold">
          {t('outbox.elsewhere.title')}
        </chakra.h2>
        <chakra.p color="fg.muted" fontSize="sm">
          {t('outbox.elsewhere.text')}
        </chakra.p>
      </div>
      <chakra.ul
        borderWidth="1px"
        borderColor="due.border"
        borderRadius="md"
        bg="bg.surface"
        overflow="hidden"
        listStyleType="none"
      >
        {groupItems(items).map(({ key, items: [first, ...more] }) =>
          more.length > 0 ? <Group key={key} items={[first!, ...more]} /> : <AttentionItem key={key} item={first!} />,
        )}
      </chakra.ul>
    </chakra.section>
  );
}
