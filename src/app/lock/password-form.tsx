import { chakra } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerifierRow } from '#src/db/database.ts';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/text-field.tsx';

interface PasswordFormProps {
  person: VerifierRow;
  disabled: boolean;
  onSubmit: (password: string) => void;
}

export function PasswordForm({ person, disabled, onSubmit }: PasswordFormProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // On a phone the keyboard would cover the list of people.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, []);
  return (
    <chakra.form
      display="flex"
      flexDirection="column"
      gap="4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (password === '') return field.current?.focus();
        onSubmit(password);
        setPassword('');
      }}
    >
      {/* Password managers store the password under this name. */}
      <input type="email" autoComplete="username" value={person.user.email} readOnly hidden />
      <TextField
        label={t('lock.password', { name: person.user.name })}
        type="password"
        autoComplete="current-password"
        ref={field}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" variant="primary" wide disabled={disabled}>
        {t(disabled ? 'lock.unlocking' : 'lock.unlock')}
      </Button>
    </chakra.form>
  );
}
