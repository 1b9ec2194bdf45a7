import { chakra, Flex } from '@chakra-ui/react';
import { ArrowLeft, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';

interface DrawerHeadProps {
  title: ReactNode;
  closeLabel: string;
  onClose: () => void;
  /** Button that returns to the previous content of the drawer; null if there is none. */
  back?: { label: string; onClick: () => void } | null;
}

/** The title bar of a drawer, with its back and close buttons. */
export function DrawerHead({ title, closeLabel, onClose, back = null }: DrawerHeadProps) {
  return (
    <Flex
      align="center"
      gap="1"
      minHeight="16"
      py="2"
      flexShrink={0}
      ps={back ? '2' : '4'}
      pe="2"
      borderBottomWidth="1px"
      borderColor="border"
    >
      {back && (
        <IconButton label={back.label} onClick={back.onClick}>
          <ArrowLeft />
        </IconButton>
      )}
      <chakra.h2 flex="1" minWidth="0" fontSize="lg" fontWeight="semibold" lineHeight="1.3" overflowWrap="anywhere">
        {title}
      </chakra.h2>
      <IconButton label={closeLabel} onClick={onClose}>
        <X />
      </IconButton>
    </Flex>
  );
}
