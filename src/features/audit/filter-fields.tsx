import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { auditGroups } from '../../../domain/audit/actions.ts';
import type { AuditFilters } from '../../server-data/audit.ts';
import { useAuditChoices } from '../../server-data/audit.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';

export function FilterFields({
  filters,
  onChange,
}: {
  filters: AuditFilters;
  onChange: (change: Partial<AuditFilters>) => void;
}) {
  const { t } = useTranslation();
  const choices = useAuditChoices();
  const { person, group, device, from, to } = filters;
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns={{ base: '1fr 1fr', lg: 'repeat(5, minmax(0, 1fr))' }}
      gap="3"
      alignItems="start"
    >
      <SelectField
        label={t('audit.filters.group')}
        value={group}
        onChange={({ target }) => onChange({ group: target.value as AuditFilters['group'] })}
        options={[
          { value: '', label: t('audit.filters.allGroups') },
          ...auditGroups.map((each) => ({ value: each, label: t(`audit.groups.${each}`) })),
        ]}
      />
      <SelectField
        label={t('audit.filters.person')}
        value={person}
        onChange={({ target }) => onChange({ person: target.value })}
        options={[
          { value: '', label: t('audit.filters.everyone') },
          ...(choices?.people ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <chakra.div gridColumn={{ base: '1 / -1', lg: 'auto' }}>
        <SelectField
          label={t('audit.filters.device')}
          value={device}
          onChange={({ target }) => onChange({ device: target.value })}
          options={[
            { value: '', label: t('audit.filters.allDevices') },
            ...(choices?.devices ?? []).map(({ id, code, name }) => ({
              value: String(id),
              label: [code, name].filter(Boolean).join(' · '),
            })),
          ]}
        />
      </chakra.div>
      <TextField
        type="date"
        label={t('audit.filters.from')}
        value={from}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <TextField
        type="date"
        label={t('audit.filters.to')}
        value={to}
        min={from || undefined}
        error={from && to && to < from ? t('audit.filters.toBeforeFrom') : undefined}
        onChange={({ target }) => onChange({ to: target.value })}
      />
    </chakra.div>
  );
}
