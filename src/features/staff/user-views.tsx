import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { Role, UserClaims } from '#domain/staff/roles.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Badge } from '#src/ui/badge.tsx';
import { toneColours } from '#src/ui/tone.ts';
import type { Tone } from '#src/ui/tone.ts';

function Initial({ name }: { name: string }) {
  return (
    <Flex
      aria-hidden
      align="center"
      justify="center"
      width="var(--picture, 2.5rem)"
      height="var(--picture, 2.5rem)"
      flexShrink={0}
      borderRadius="full"
      bg="accent.subtle"
      color="accent.fg"
      fontWeight="semibold"
      textTransform="uppercase"
    >
      {name.trim().charAt(0)}
    </Flex>
  );
}

/** @param emailUntil width in rem of the place from which a column of its own has the email */
export function UserName({ user: { name, email }, emailUntil }: { user: UserClaims; emailUntil?: number }) {
  return (
    <Flex align="center" gap="3" minWidth="0">
      <Initial name={name} />
      <chakra.div minWidth="0" lineHeight="1.35">
        <chakra.p fontWeight="medium" overflowWrap="anywhere">
          {name}
        </chakra.p>
        <chakra.p
          color="fg.muted"
          overflowWrap="anywhere"
          {...(emailUntil && { css: { [`@container (min-width: ${emailUntil}rem)`]: { display: 'none' } } })}
        >
          {email}
        </chakra.p>
      </chakra.div>
    </Flex>
  );
}

export function UserCard({ user }: { user: UserClaims }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  return (
    <Flex direction="column" gap="3">
      <UserName user={user} />
      <Flex align="center" gap="2" wrap="wrap">
        <RoleBadge role={user.role} />
        {user.status === 'inactive' && <Badge>{t('staff.status.inactive')}</Badge>}
        <chakra.span fontSize="sm" color="fg.muted">
          {t('staff.joined', { date: formats.date(user.created_at) })}
        </chakra.span>
      </Flex>
    </Flex>
  );
}

/** Colours of the dots: a role is no state, so its name has none. */
const tones: Record<Role, Tone> = {
  admin: 'refused',
  manager: 'violet',
  server: 'blue',
  counter: 'paid',
  kitchen: 'due',
};

export function RoleBadge({ role }: { role: Role }) {
  const { t } = useTranslation();
  return (
    <Badge gap="1.5" textTransform="uppercase">
      <chakra.span
        aria-hidden
        width="2"
        height="2"
        borderRadius="full"
        flexShrink={0}
        bg={toneColours(tones[role]).color}
      />
      {t(`roles.${role}.name`)}
    </Badge>
  );
}
