import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { OperationKind } from '../../../../domain/protocol/operations.ts';
import { MoneyText } from '../../../formats/money.tsx';
import { KindIcon } from '../kind-icon.tsx';
import { useRelativeTime } from '../use-relative-time.ts';
import { useMoment } from '../../../formats/use-formats.ts';

interface TrayRowProps {
  tone: 'refused' | 'due';
  /** Null for what concerns a treatment rather than one operation. */
  icon: OperationKind | null;
  title: string;
  amountMinor?: number;
  currency: string;
  sentence: string;
  /** What a person should do about it, where no button does. */
  todo?: string;
  /** Who, where, on which paper; what is empty is left out. */
  facts: string[];
  atMs: number;
  /** What can be done. */
  children: ReactNode;
}

/** One thing that needs a person: what it is, why, and what can be done. */
export function TrayRow({
  tone,
  icon,
  title,
  amountMinor,
  currency,
  sentence,
  todo,
  facts,
  atMs,
  children,
}: TrayRowProps) {
  const since = useRelativeTime();
  const when = useMoment();
  return (
    <chakra.li
      display="flex"
      flexDirection={{ base: 'column', lg: 'row' }}
      alignItems={{ lg: 'center' }}
      gap={{ base: '3', lg: '6' }}
      p="4"
      borderColor="border"
      css={{ '&:not(:first-of-type)': { borderTopWidth: '1px' } }}
    >
      <Flex gap="3" flex="1" minWidth="0">
        <chakra.span color={`${tone}.fg`} mt="0.5" flexShrink={0}>
          <KindIcon kind={icon} />
        </chakra.span>
        <Flex direction="column" gap="0.5" minWidth="0">
          <chakra.p fontWeight="medium">
            {title}
            {amountMinor !== undefined && (
              <>
                {' · '}
                <MoneyText minor={amountMinor} currency={currency} />
              </>
            )}
          </chakra.p>
          <chakra.p color={`${tone}.fg`} overflowWrap="anywhere">
            {sentence}
          </chakra.p>
          {todo && <chakra.p>{todo}</chakra.p>}
          <chakra.p fontSize="sm" color="fg.muted" overflowWrap="anywhere" fontVariantNumeric="tabular-nums">
            {[...facts, `${when(atMs)} (${since(atMs)})`].filter(Boolean).join(' · ')}
          </chakra.p>
        </Flex>
      </Flex>
      <Flex
        gap="2"
        wrap="wrap"
        flexShrink={0}
        maxWidth="full"
        ps={{ base: '8', lg: '0' }}
        css={{ '&:empty': { display: 'none' } }}
      >
        {children}
      </Flex>
    </chakra.li>
  );
}
