import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** Between amounts of five figures, which a phone has just room for. */
const gap = { base: '3', md: '4' };

interface AmountTableProps {
  /** The headings: of the names, then of each column of amounts. */
  columns: string[];
  children: ReactNode;
}

/** A table of amounts by name. The currency stands in its heading: on a phone the columns would be too wide. */
export function AmountTable({ columns, children }: AmountTableProps) {
  return (
    <chakra.table width="full" css={{ borderCollapse: 'collapse' }} fontSize={{ base: 'sm', md: 'md' }}>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <chakra.th
              key={column}
              scope="col"
              pb="2"
              ps={index === 0 ? '0' : gap}
              fontSize="sm"
              fontWeight="medium"
              color="fg.muted"
              textAlign={index === 0 ? 'start' : 'end'}
            >
              {column}
            </chakra.th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </chakra.table>
  );
}

interface AmountRowProps {
  name: string;
  /** True for the sum of the rows above it. */
  isTotal?: boolean;
  children: ReactNode;
}

export function AmountRow({ name, isTotal = false, children }: AmountRowProps) {
  return (
    <chakra.tr
      borderTopWidth="1px"
      borderColor={isTotal ? 'border.strong' : 'border'}
      fontWeight={isTotal ? 'semibold' : 'normal'}
    >
      <chakra.th scope="row" py="3" textAlign="start" fontWeight="inherit">
        {name}
      </chakra.th>
      {children}
    </chakra.tr>
  );
}

export function AmountCell({ children }: { children: ReactNode }) {
  return (
    <chakra.td py="3" ps={gap} textAlign="end" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
      {children}
    </chakra.td>
  );
}
