/** What Intl and `<html lang>` call one of our languages: `sp` is not Spanish to them. */
export const intlTag = (language: string): string => (language === 'sp' ? 'es-ES' : 'en');

/** By whose customs dates are written: the day first, as where Spanish is spoken. */
export const dateTag = (language: string): string => (language === 'sp' ? 'es-ES' : 'en-GB');
