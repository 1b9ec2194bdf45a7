import { chakra, Flex } from '@chakra-ui/react';

/** A key and what it does, shown only where there is likely to be a keyboard: with a mouse, not on a bare tablet. */
export function KeyHint({ keys, does }: { keys: string[]; does?: string | undefined }) {
  return (
    <Flex
      as="span"
      aria-hidden
      display="none"
      align="center"
      gap="1"
      fontSize="sm"
      fontWeight="normal"
      color="inherit"
      whiteSpace="nowrap"
      css={{ '@media (hover: hover) and (pointer: fine)': { display: 'inline-flex' } }}
    >
      {keys.map((key) => (
        <chakra.kbd
          key={key}
          px="1.5"
          minWidth="6"
          textAlign="center"
          borderWidth="1px"
          borderColor="currentColor"
          borderRadius="md"
          fontFamily="body"
          fontSize="sm"
          lineHeight="1.5"
        >
          {key}
        </chakra.kbd>
      ))}
      {does}
    </Flex>
  );
}

/** The key that goes with Enter for the main action, as this computer's keyboard has it. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
