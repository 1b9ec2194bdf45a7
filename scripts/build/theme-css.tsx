import { ChakraProvider } from '@chakra-ui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { system } from '#src/ui/theme.ts';

/** The theme's global styles as CSS: the order of the layers, reset, base and variables. */
export const themeCss = renderToStaticMarkup(<ChakraProvider value={system}>{null}</ChakraProvider>).replaceAll(
  /<\/?style[^>]*>/g,
  '',
);
