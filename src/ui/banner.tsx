import { chakra, Flex } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { toneColours } from './tone.ts';
import type { Tone } from './tone.ts';

const icons = {
  neutral: Info,
  accent: Info,
  due: TriangleAlert,
  low: TriangleAlert,
  paid: CircleCheck,
  refused: CircleAlert,
  blue: Info,
  violet: Info,
};

interface BannerProps {
  tone?: Tone;
  title?: string | undefined;
  children?: ReactNode;
  actions?: ReactNode;
  /** Button that closes the banner; none if omitted. */
  dismiss?: { label: string; onClick: () => void } | undefined;
}

/** A message that stays while its cause lasts. Screen readers announce the tone `refused` at once, others politely. */
export function Banner({ tone = 'neutral', title, children, actions, dismiss }: BannerProps) {
  const Icon = icons[tone];
  const { color, bg, borderColor } = toneColours(tone);
  return (
    <Flex
      role={tone === 'refused' ? 'alert' : 'status'}
      align="flex-start"
      gap="3"
      p="3"
      bg={bg}
      borderWidth="1px"
      borderColor={borderColor}
      borderRadius="md"
    >
      <Flex color={color} mt="0.5" aria-hidden>
        <Icon size={20} />
      </Flex>
      <Flex direction="column" gap="1" flex="1" minWidth="0" fontSize="sm">
        {title && (
          <chakra.p fontSize="md" fontWeight="semibold" color={color} lineHeight="1.5">
            {title}
          </chakra.p>
        )}
        {children && (
          <chakra.div color="fg" mt={title ? '0' : '0.5'}>
            {children}
          </chakra.div>
        )}
        {actions && (
          <Flex wrap="wrap" gap="2" mt="2">
            {actions}
          </Flex>
        )}
      </Flex>
      {dismiss && (
        <IconButton label={dismiss.label} onClick={dismiss.onClick} my="-2" mr="-2">
          <X />
        </IconButton>
      )}
    </Flex>
  );
}
