import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';

/** A square button that shows only an icon; `label` is its accessible name and its tooltip. */
export function IconButton({
  label,
  children,
  size = 'md',
  ...rest
}: Omit<ComponentProps<typeof Button>, 'aria-label' | 'title' | 'children'> & { label: string; children: ReactNode }) {
  const side = { sm: '10', md: '12', lg: '16' }[size as 'sm' | 'md' | 'lg'];
  return (
    <Button variant="quiet" size={size} px="0" width={side} aria-label={label} title={label} {...rest}>
      {children}
    </Button>
  );
}
