import { chakra, Flex } from '@chakra-ui/react';
import { Boxes, ChartColumn, ChevronRight, ReceiptText, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { pathOf } from '#src/navigation/path-of.ts';
import { useSession } from '#src/session/session.ts';

const shortcuts = [
  { name: 'stock', icon: Boxes },
  { name: 'expenses', icon: ReceiptText },
  { name: 'staff', icon: Users },
  { name: 'reports', icon: ChartColumn },
] as const;

/** Links to the sections used most. */
export function Shortcuts() {
  const { t } = useTranslation();
  const role = useSession(({ user }) => user?.role);
  if (!role) return null;
  return (
    <chakra.nav
      aria-label={t('dashboard.shortcuts.label')}
      display="grid"
      gap="4"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' }}
    >
      {shortcuts.map(({ name, icon: Icon }) => (
        <chakra.a
          key={name}
          asChild
          display="flex"
          flexDirection={{ base: 'row', lg: 'column' }}
          alignItems={{ base: 'center', lg: 'flex-start' }}
          gap="3"
          p="4"
          minHeight="16"
          bg="bg.surface"
          borderWidth="1px"
          borderColor="border"
          borderRadius="md"
          _hover={{ bg: 'bg.hover', borderColor: 'border.strong' }}
        >
          <Link to={pathOf(role, name)}>
            <Flex
              align="center"
              justify="center"
              width="10"
              height="10"
              flexShrink={0}
              borderRadius="md"
              bg="accent.subtle"
              color="accent.fg"
              aria-hidden
            >
              <Icon size={20} />
            </Flex>
            <chakra.span flex={{ base: '1', lg: 'none' }} minWidth="0">
              <Flex as="span" align="center" gap="1" fontWeight="medium">
                {t(`shell.sections.${name}`)}
                <ChevronRight size={16} aria-hidden />
              </Flex>
              <chakra.span display="block" fontSize="sm" color="fg.muted">
                {t(`dashboard.shortcuts.${name}`)}
              </chakra.span>
            </chakra.span>
          </Link>
        </chakra.a>
      ))}
    </chakra.nav>
  );
}
