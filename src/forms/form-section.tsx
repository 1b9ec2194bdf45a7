import { chakra } from '@chakra-ui/react';
import { useId } from 'react';
import type { ReactNode } from 'react';

/** A group of fields, with its heading beside them if there is room. */
export function FormSection({
  title,
  text,
  anchor,
  children,
}: {
  title: string;
  /** The id that links within the page name. */
  anchor?: string | undefined;
  text?: string | undefined;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <chakra.section
      id={anchor}
      aria-labelledby={id}
      scrollMarginTop="4"
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: '16rem minmax(0, 1fr)' }}
      gap={{ base: '4', lg: '12' }}
      py="8"
      css={{ '& + &': { borderTop: '1px solid {colors.border}' } }}
    >
      <div>
        <chakra.h2 id={id} fontWeight="semibold">
          {title}
        </chakra.h2>
        {text && (
          <chakra.p fontSize="sm" color="fg.muted" mt="1">
            {text}
          </chakra.p>
        )}
      </div>
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: '1fr 1fr' }}
        gap="5"
        alignItems="start"
        minWidth="0"
      >
        {children}
      </chakra.div>
    </chakra.section>
  );
}

/** Makes a field as wide as its section. */
export const WholeRow = chakra('div', { base: { gridColumn: '1 / -1', minWidth: '0' } });
