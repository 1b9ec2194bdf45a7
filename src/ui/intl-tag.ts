/** Returns the language tag for Intl and `<html lang>`. They do not know `sp`, this app's code for Spanish. */
export const intlTag = (language: string): string => (language === 'sp' ? 'es-ES' : 'en');
