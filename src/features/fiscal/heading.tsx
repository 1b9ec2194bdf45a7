import { chakra } from '@chakra-ui/react';

/** The heading of a part of the page. */
export const Heading = chakra('h2', { base: { fontWeight: 'semibold', marginBottom: '3' } });
