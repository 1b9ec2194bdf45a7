/** What a page says of data that the server has not confirmed: their time, and that the server does not answer. */
import { chakra } from '@chakra-ui/react';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMoment } from '../formats/use-formats.ts';
import { useRememberedSince } from '../server-data/use-server-data.ts';
import { wide } from '../ui/desk.ts';

/** Says that the server does not answer, in one line of a wide window. */
export function Outage({ title, text }: { title: string; text: string }) {
  return (
    <chakra.output
      display="flex"
      alignItems="center"
      gap="3"
      minHeight={{ base: '20', md: '12' }}
      px={{ base: '4', md: '6' }}
      py="1"
      bg="due.subtle"
      borderTopWidth="1px"
      borderColor="due.border"
      fontSize="sm"
      lineHeight="1.35"
    >
      <chakra.span color="due.fg" flexShrink={0} aria-hidden>
        <TriangleAlert size={20} />
      </chakra.span>
      <span>
        <chakra.strong color="due.fg" fontWeight="semibold" me="2">
          {title}
        </chakra.strong>
        <span>{text}</span>
      </span>
    </chakra.output>
  );
}

/** Over what the tabs leave of their line. */
const besideActions = {
  insetInlineEnd: 'calc(100% + 0.5rem)',
  paddingInline: '{spacing.2}',
  background: '{colors.bg}',
};

/** Where the time stands in a line without a toolbar. */
export const besideHeading = { top: 'auto', bottom: '0.2rem', insetInlineStart: 'calc(100% + 0.75rem)' };

interface AsOfProps {
  oldSince: number | null;
  /** True where buttons share the line of the heading. */
  hasActions?: boolean;
  isBesideActions?: boolean;
}

/**
 * The time of remembered data, in room that nothing else uses: beside the heading, or in the gap below it. During an outage the
 * end of the page says it, so it shows only where nothing but the heading stands in the line.
 */
export function AsOf({ oldSince, hasActions = false, isBesideActions = false }: AsOfProps) {
  const { t } = useTranslation();
  const moment = useMoment();
  const remembered = useRememberedSince();
  const since = oldSince ?? remembered;
  const isSaidTwice = oldSince !== null;
  if (since === null || (isSaidTwice && isBesideActions)) return null;
  return (
    <chakra.span
      data-as-of={isBesideActions ? undefined : isSaidTwice ? 'twice' : ''}
      hideBelow={isSaidTwice && hasActions ? 'md' : undefined}
      // Its own width, and the gap before it, would move the buttons to a line of their own.
      flex="1"
      width="0"
      me="-3"
      // Where there is no room for all of it, it wraps out of sight: a part of it says nothing.
      display="flex"
      flexWrap="wrap"
      height="1lh"
      overflow="hidden"
      css={{
        '&::before': { content: '""', height: 'full' },
        [wide]: {
          position: 'absolute',
          marginInlineEnd: '0',
          width: 'max-content',
          lineHeight: '{lineHeights.tight}',
          ...(isBesideActions ? besideActions : { top: '100%' }),
        },
      }}
      fontSize="sm"
      color="fg.muted"
      fontVariantNumeric="tabular-nums"
      // By then the reply is here, or the outage is known, and the end of the page says it.
      opacity={0}
      animation="appear 150ms 2000ms forwards"
    >
      {t('page.old.asOf', { time: moment(since) })}
    </chakra.span>
  );
}
