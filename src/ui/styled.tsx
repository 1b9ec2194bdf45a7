/** Components of plain CSS with Chakra's style props, for dialogs, forms and the back office. */
import { chakra } from '@chakra-ui/react';
import type { JsxStyleProps } from '@chakra-ui/react';
import type { ComponentProps, ComponentType } from 'react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { TextField } from './text-field.tsx';

/** Chakra's own type lacks the prop `size`. */
type Styled<Props> = ComponentType<Props & JsxStyleProps>;

export const StyledButton = chakra(Button) as Styled<ComponentProps<typeof Button>>;
export const StyledIconButton = chakra(IconButton) as Styled<ComponentProps<typeof IconButton>>;
export const StyledTextField = chakra(TextField) as Styled<ComponentProps<typeof TextField>>;
