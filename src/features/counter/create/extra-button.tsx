import { chakra } from '@chakra-ui/react';
import type { ComponentProps, ReactNode } from 'react';

interface ExtraButtonProps extends Omit<ComponentProps<typeof chakra.button>, 'value'> {
  icon: ReactNode;
  /** The word that stands here while nothing is set. */
  word: string;
  value?: string | undefined;
}

/** A button that shows what it has set in place of its word, so that the row keeps its size. */
export function ExtraButton({ icon, word, value, ...rest }: ExtraButtonProps) {
  return (
    <chakra.button
      type="button"
      display="flex"
      flexDirection="column"
      alignItems="center"
      justifyContent="center"
      minWidth="0"
      px="1"
      fontSize="sm"
      lineHeight="1.2"
      fontWeight="medium"
      borderRadius="md"
      color={value ? 'accent.fg' : 'fg.muted'}
      bg={value ? 'accent.subtle' : 'bg'}
      cursor="pointer"
      _disabled={{ opacity: 0.5, cursor: 'not-allowed' }}
      _hover={{ bg: value ? 'accent.subtle' : 'bg.hover' }}
      _icon={{ width: '5', height: '5', flexShrink: 0 }}
      {...rest}
    >
      {icon}
      {/* A new element for another word: in the old one it would start at another place. */}
      <chakra.span key={value ?? word} width="full" textAlign="center" truncate>
        {value ?? word}
      </chakra.span>
    </chakra.button>
  );
}
