import { chakra, Flex } from '@chakra-ui/react';
import { Ban } from 'lucide-react';
import { useId } from 'react';
import { Swatch } from '#src/ui/swatch.tsx';
import { palette, paletteNames } from '#domain/stock/palette.ts';
import { useColourName } from './use-colour-name.ts';

interface ColourFieldProps {
  label: string;
  hint: string;
  value: string | null;
  /** The stored colour, offered even if it is not in the palette. */
  initial: string | null;
  onChange: (color: string | null) => void;
}

/** Selects a colour of the palette, or none. */
export function ColourField({ label, hint, value, initial, onChange }: ColourFieldProps) {
  const id = useId();
  const nameOf = useColourName();
  const colours: (string | null)[] = [null, ...paletteNames.map((name) => palette[name])];
  if (!colours.includes(initial)) colours.push(initial);
  const options = colours.map((color) => ({ color, name: nameOf(color) }));
  return (
    <Flex as="fieldset" direction="column" gap="1.5" aria-describedby={`${id}-note`}>
      <chakra.legend fontSize="sm" fontWeight="medium" mb="1.5">
        {label}
      </chakra.legend>
      <chakra.div display="grid" gridTemplateColumns="repeat(6, 3rem)" gap="1" mx="-2">
        {options.map(({ color, name }) => (
          <chakra.label
            key={name}
            title={name}
            display="flex"
            alignItems="center"
            justifyContent="center"
            width="12"
            height="12"
            borderRadius="full"
            borderWidth="1px"
            borderColor="transparent"
            cursor="pointer"
            color="fg.muted"
            css={{
              '&:has(:checked)': { borderColor: '{colors.fg}', background: '{colors.bg.sunken}' },
              '&:has(:focus-visible)': { outline: '3px solid {colors.accent.ring}' },
            }}
          >
            <chakra.input
              type="radio"
              name={id}
              srOnly
              aria-label={name}
              checked={value === color}
              onChange={() => onChange(color)}
            />
            {color === null ? <Ban size={24} strokeWidth={1.5} aria-hidden /> : <Swatch color={color} size="6" />}
          </chakra.label>
        ))}
      </chakra.div>
      <chakra.p id={`${id}-note`} fontSize="sm" color="fg.muted">
        {hint}
      </chakra.p>
    </Flex>
  );
}
