import { chakra } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** The sections of the settings, in their order on the page. Their names are the ids on the page. */
export const settingsSections = [
  'practice',
  'money',
  'invoice',
  'tax',
  'verifactu',
  'retention',
  'notices',
  'certificate',
  'files',
  'device',
] as const;
export type SettingsSection = (typeof settingsSections)[number];

const titles = {
  practice: 'settings.practice.title',
  money: 'settings.money.title',
  invoice: 'settings.invoice.title',
  tax: 'tax.settings.title',
  verifactu: 'verifactu.title',
  retention: 'settings.retention.title',
  notices: 'settings.notices.title',
  certificate: 'verifactu.certificate.title',
  files: 'settings.files.title',
  device: 'settings.device.title',
} as const;

/** Returns the section that somebody reads: the last one that has reached the upper third of the window. */
function useCurrent(names: readonly SettingsSection[]): SettingsSection | undefined {
  const [current, setCurrent] = useState<SettingsSection>();
  const key = names.join();
  useEffect(() => {
    const reached = () => {
      const passed = names.filter((name) => {
        const section = document.getElementById(name);
        return section && section.getBoundingClientRect().top < innerHeight / 3;
      });
      setCurrent(passed.at(-1) ?? names[0]);
    };
    reached();
    document.addEventListener('scroll', reached, { capture: true, passive: true });
    return () => document.removeEventListener('scroll', reached, { capture: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `key` says all names.
  }, [key]);
  return current;
}

/** Leads to the sections of a long page: beside it if there is room, otherwise in a line above it. */
export function SectionList({ names }: { names: readonly SettingsSection[] }) {
  const { t } = useTranslation();
  const current = useCurrent(names);
  return (
    <chakra.nav
      aria-label={t('settings.sections')}
      position={{ base: 'static', xl: 'sticky' }}
      top="4"
      mx={{ base: '-4', md: '0' }}
      px={{ base: '1', md: '0' }}
      ms={{ md: '-3' }}
      mt={{ base: '0', xl: '-2' }}
      display="flex"
      flexDirection={{ base: 'row', xl: 'column' }}
      // A narrow window shows one line that scrolls, instead of four.
      flexWrap={{ base: 'nowrap', lg: 'wrap', xl: 'nowrap' }}
      flexShrink={0}
      overflowX={{ base: 'auto', lg: 'visible' }}
      scrollbarWidth="none"
      gap="1"
      // Names beyond the edge of a narrow window fade towards it.
      css={{ lgDown: { maskImage: 'linear-gradient(to right, black calc(100% - 24px), transparent)' } }}
    >
      {names.map((name) => (
        <chakra.a
          key={name}
          href={`#${name}`}
          aria-current={name === current ? 'location' : undefined}
          display="flex"
          alignItems="center"
          minHeight="var(--control, 3rem)"
          flexShrink={0}
          px="3"
          borderRadius="md"
          color="fg.muted"
          fontSize={{ lg: 'sm', xl: 'md' }}
          fontWeight="medium"
          lineHeight="tight"
          _hover={{ bg: 'bg.hover', color: 'fg' }}
          css={{ '&[aria-current]': { color: '{colors.accent.fg}' } }}
          onClick={(event) => {
            // The address keeps its place; a hash would be one more step back.
            event.preventDefault();
            document.getElementById(name)?.scrollIntoView({ block: 'start' });
          }}
        >
          {t(titles[name])}
        </chakra.a>
      ))}
    </chakra.nav>
  );
}
