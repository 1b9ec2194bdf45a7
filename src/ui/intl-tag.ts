/** Returns the language tag for Intl and `<html lang>`. They do not know `sp`, this app's code for Spanish. */
export const intlTag = (language: string): string => (language === 'sp' ? 'es-ES' : 'en');

/** Returns the language tag for dates. English dates are British: the clinic writes the day first. */
export const dateTag = (language: string): string => (language === 'sp' ? 'es-ES' : 'en-GB');
