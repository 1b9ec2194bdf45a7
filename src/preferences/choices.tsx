import { useTranslation } from 'react-i18next';
import { colourModes, setColourMode, useColourMode } from './colour-mode.ts';
import { Segmented } from '../ui/segmented.tsx';
import { languages } from '#domain/language.ts';
import { currentLanguage } from '../i18n/i18n.ts';

export function LanguageChoice() {
  const { t, i18n } = useTranslation();
  return (
    <Segmented
      kind="choice"
      label={t('language.label')}
      value={currentLanguage()}
      segments={languages.map((value) => ({ value, label: t(`language.${value}`) }))}
      onChange={(language) => void i18n.changeLanguage(language)}
    />
  );
}

export function ColourModeChoice() {
  const { t } = useTranslation();
  const mode = useColourMode((state) => state.mode);
  return (
    <Segmented
      kind="choice"
      label={t('colourMode.label')}
      value={mode}
      segments={colourModes.map((value) => ({ value, label: t(`colourMode.${value}`) }))}
      onChange={setColourMode}
    />
  );
}
