import { Flex, chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** What stands where a list has nothing to show: what would be here, and how to get it. */
export function EmptyState({
  icon,
  title,
  text,
  heading = false,
  children,
}: {
  icon?: ReactNode;
  title: string;
  text?: string | undefined;
  /** For a state that is the whole page: its title is the page's. */
  heading?: boolean;
  children?: ReactNode;
}) {
  return (
    <Flex direction="column" align="center" textAlign="center" gap="2" px="6" py="12" color="fg.muted">
      {icon && (
        <Flex aria-hidden css={{ '& svg': { width: '8', height: '8', strokeWidth: 1.5 } }}>
          {icon}
        </Flex>
      )}
      <chakra.p
        as={heading ? 'h1' : 'p'}
        fontWeight={heading ? 'semibold' : 'medium'}
        fontSize={heading ? 'lg' : 'md'}
        color="fg"
      >
        {title}
      </chakra.p>
      {text && (
        <chakra.p fontSize="sm" maxWidth="80">
          {text}
        </chakra.p>
      )}
      {children && <Flex mt="3">{children}</Flex>}
    </Flex>
  );
}
