import { chakra, Flex } from '@chakra-ui/react';

/** Colours of the parts, in their order. */
export const shareColours = ['accent.solid', 'blue.fg', 'violet.fg', 'low.fg'] as const;

/** A bar divided in proportion to the parts. Parts of zero or less are left out. Screen readers skip the bar. */
export function ShareBar({ parts }: { parts: readonly { key: string; value: number }[] }) {
  return (
    <Flex aria-hidden height="3" gap="2px" borderRadius="full" overflow="hidden" bg="bg.sunken">
      {parts.map(({ key, value }, index) => (
        <chakra.div
          key={key}
          minWidth={value > 0 ? '1' : '0'}
          bg={shareColours[index % shareColours.length]}
          style={{ flexGrow: Math.max(0, value), flexBasis: 0 }}
        />
      ))}
    </Flex>
  );
}

/** A bar filled in proportion to `share`, from 0 to 1. */
export function Meter({ share }: { share: number }) {
  return (
    <chakra.div aria-hidden height="1.5" borderRadius="full" bg="bg.sunken" overflow="hidden">
      <chakra.div
        height="full"
        borderRadius="full"
        bg="accent.solid"
        style={{ width: `${Math.min(1, Math.max(0, share)) * 100}%` }}
      />
    </chakra.div>
  );
}
