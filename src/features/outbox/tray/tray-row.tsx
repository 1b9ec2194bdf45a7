import { chakra, Flex } from '@chakra-ui/react';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationKind } from '#domain/protocol/operations.ts';
import { MoneyText, unbroken } from '#src/formats/money.tsx';
import { Button } from '#src/ui/button.tsx';
import { download } from '#src/ui/download.ts';
import { KindIcon } from '../operation-kinds.tsx';
import { useRelativeTime } from '../use-relative-time.ts';
import { useMoment } from '#src/formats/use-formats.ts';

interface TrayRowProps {
  tone: 'refused' | 'due';
  /** Null for an item about a treatment instead of one operation. */
  kind: OperationKind | null;
  title: string;
  amountMinor?: number;
  currency: string;
  /** Empty where a row above says it. */
  sentence: string;
  /** Advice, if none of the buttons solves the problem. */
  todo?: string;
  /** Empty details are left out. */
  details: string[];
  /** Omitted for what has no time of its own. */
  atMs?: number;
  children?: ReactNode;
}

export function TrayRow({
  tone,
  kind,
  title,
  amountMinor,
  currency,
  sentence,
  todo,
  details,
  atMs,
  children,
}: TrayRowProps) {
  const relativeTime = useRelativeTime();
  const moment = useMoment();
  return (
    <chakra.li
      // The buttons stand beside the text while it keeps the length of a line, else below it.
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="6"
      rowGap="3"
      px="4"
      py="3"
      borderColor="border"
      css={{ '&:not(:first-of-type)': { borderTopWidth: '1px' } }}
    >
      <Flex gap="3" flex={sentence ? '1 1 26rem' : '1 1 14rem'} minWidth="0">
        <chakra.span color={`${tone}.fg`} mt="0.5" flexShrink={0}>
          <KindIcon kind={kind} />
        </chakra.span>
        <Flex direction="column" gap="0.5" minWidth="0">
          <chakra.p fontWeight="medium" color={`${tone}.fg`}>
            {title}
            {amountMinor !== undefined && (
              <>
                {' · '}
                <MoneyText minor={amountMinor} currency={currency} />
              </>
            )}
          </chakra.p>
          {sentence && (
            <chakra.p overflowWrap="anywhere">
              {sentence}
              {todo && ` ${todo}`}
            </chakra.p>
          )}
          <chakra.p fontSize="sm" color="fg.muted" overflowWrap="anywhere" fontVariantNumeric="tabular-nums">
            {[...details, atMs !== undefined && unbroken(`${moment(atMs)} (${relativeTime(atMs)})`)]
              .filter(Boolean)
              .join(' · ')}
          </chakra.p>
        </Flex>
      </Flex>
      <Flex gap="2" wrap="wrap" flexShrink={0} maxWidth="full" ms="auto" css={{ '&:empty': { display: 'none' } }}>
        {children}
      </Flex>
    </chakra.li>
  );
}

/** Downloads an item as JSON, as a copy for support. */
export function ExportButton({ content, fileName }: { content: object; fileName: string }) {
  const { t } = useTranslation();
  const file = () => new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' });
  return (
    <Button variant="quiet" aria-label={t('outbox.attention.export')} onClick={() => download(file(), fileName)}>
      <Download />
      {t('outbox.attention.exportShort')}
    </Button>
  );
}
