import { chakra, Flex } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from './signed-in.tsx';

/** The name of the signed-in person, and the title and description of their role. */
export function UserTitle(props: ComponentProps<typeof Flex>) {
  const { t } = useTranslation();
  const { name, role } = useUser();
  return (
    <Flex direction="column" minWidth="0" lineHeight="tight" gap="0.5" {...props}>
      <chakra.p fontWeight="semibold" truncate>
        {name}
      </chakra.p>
      <chakra.p fontSize="sm" color="fg.muted" truncate>
        {t(`roles.${role}.title`)}
        <chakra.span hideBelow="lg"> · {t(`roles.${role}.description`)}</chakra.span>
      </chakra.p>
    </Flex>
  );
}
