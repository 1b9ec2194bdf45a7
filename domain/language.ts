/** The languages of the app. `sp` is Spanish in code and files; for Intl and `<html lang>` it becomes `es-ES`. */
export const languages = ['en', 'sp'] as const;
export type Language = (typeof languages)[number];

/** Returns the language tag for dates. English dates are British: the clinic writes the day first. */
export const dateTag = (language: string): string => (language === 'sp' ? 'es-ES' : 'en-GB');
