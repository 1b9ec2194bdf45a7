import { useTranslation } from 'react-i18next';
import { palette, paletteNames } from '#domain/stock/palette.ts';

/** Returns a function that names a colour as the form of a category does. One outside the palette has no name of its own. */
export function useColourName(): (color: string | null) => string {
  const { t } = useTranslation();
  return (color) => {
    if (color === null) return t('categories.colours.none');
    const name = paletteNames.find((each) => palette[each] === color);
    return t(`categories.colours.${name ?? 'present'}`);
  };
}
