import { chakra, Flex } from '@chakra-ui/react';
import { useId } from 'react';
import type { ReactNode } from 'react';

interface DrawerCardProps {
  title: string;
  text: string;
  end?: ReactNode;
  children: ReactNode;
}

export function DrawerCard({ title, text, end, children }: DrawerCardProps) {
  const id = useId();
  return (
    <chakra.section
      aria-labelledby={id}
      p={{ base: '4', md: '6' }}
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
    >
      <Flex justify="space-between" align="flex-start" gap="4" wrap="wrap" mb="5">
        <div>
          <chakra.h2 id={id} fontSize="lg" fontWeight="semibold" lineHeight="tight">
            {title}
          </chakra.h2>
          <chakra.p color="fg.muted" mt="1">
            {text}
          </chakra.p>
        </div>
        {end}
      </Flex>
      {children}
    </chakra.section>
  );
}
