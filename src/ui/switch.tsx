import { chakra } from '@chakra-ui/react';

interface SwitchProps {
  /** Accessible name: the setting and the item that it belongs to. */
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** An on/off switch that takes effect at once. */
export function Switch({ label, checked, onChange, disabled = false }: SwitchProps) {
  return (
    <chakra.button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={() => onChange(!checked)}
      display="inline-flex"
      alignItems="center"
      minHeight="var(--control-small, 2.5rem)"
      cursor="pointer"
      borderRadius="md"
      _disabled={{ cursor: 'not-allowed' }}
    >
      <chakra.span
        display="flex"
        alignItems="center"
        width="10"
        height="6"
        px="0.5"
        borderRadius="full"
        borderWidth="1px"
        borderColor={checked ? 'accent.solid' : 'border.strong'}
        bg={checked ? 'accent.solid' : 'bg.sunken'}
        transition="background-color 120ms"
      >
        <chakra.span
          width="4"
          height="4"
          borderRadius="full"
          bg={checked ? 'accent.contrast' : 'fg.muted'}
          translate={checked ? '1.125rem 0' : '0 0'}
          transition="translate 120ms"
        />
      </chakra.span>
    </chakra.button>
  );
}
