import { useTranslation } from 'react-i18next';
import type { Role } from '../../../domain/staff/roles.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Tone } from '../../ui/tone.ts';

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
    <Badge tone={tones[role]} textTransform="uppercase">
      {t(`roles.${role}.name`)}
    </Badge>
  );
}
