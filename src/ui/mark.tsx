import type { ComponentProps } from 'react';

/** The logo: a molar on the edge of a counter, in the colour of the surrounding text. */
export function Mark(props: ComponentProps<'svg'>) {
  return (
    <svg viewBox="0 0 48 48" fill="currentColor" aria-hidden width="32" height="32" {...props}>
      <path d="M15.2 6C10 6 6 10.2 6 15.6c0 4.1 1.4 6.8 2.5 10.4.8 2.7 1 5.3 1.4 8H17c.6-4.300 2-8 7-8s6.400 3.700 7 8h7.100c.4-2.700.6-5.300 1.400-8C40.600 22.400 42 19.700 42 15.600 42 10.200 38 6 32.800 6 29.300 6 27.200 8 24 8s-5.300-2-8.800-2Z" />
      <rect x="4" y="37" width="40" height="4" rx="2" />
    </svg>
  );
}
