import { ChakraProvider } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { system } from './theme.ts';

/**
 * The build has written the theme's global styles and the order of its layers into the style sheet
 * (`scripts/build/theme-styles.ts`). As an element that comes and goes with each screen, they would make the browser
 * style and lay out the whole page again.
 */
const withoutGlobals: typeof system = { ...system, _global: [], layers: { ...system.layers, atRule: '' } };

/** Lets Chakra's components below use the theme. */
export function Themed({ children }: { children: ReactNode }) {
  return <ChakraProvider value={withoutGlobals}>{children}</ChakraProvider>;
}
