import { Flex, chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A message in place of an empty list: it names what the list will show and offers an action that fills it. */
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
  /** Makes the title the heading of the page, for an empty state that fills the whole page. */
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
