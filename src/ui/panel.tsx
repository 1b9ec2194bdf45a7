import { chakra, Flex } from '@chakra-ui/react';
import { useId } from 'react';
import type { ReactNode } from 'react';

interface PanelProps {
  title: string;
  /** Of the heading: 2 where nothing stands between it and that of the page. */
  level?: 2 | 3;
  action?: ReactNode;
  /** Absent where the line of the heading says it all. */
  children?: ReactNode;
}

/** A section of a page, with a heading and an optional action beside it. */
export function Panel({ title, level = 3, action, children }: PanelProps) {
  const id = useId();
  return (
    <chakra.section
      aria-labelledby={id}
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      minWidth="0"
      display="flex"
      flexDirection="column"
    >
      <Flex align="center" justify="space-between" gap="3" ps="4" pe="2" minHeight="14" flexShrink={0}>
        <chakra.h3 as={`h${level}`} id={id} fontWeight="semibold">
          {title}
        </chakra.h3>
        {action}
      </Flex>
      {children}
    </chakra.section>
  );
}
