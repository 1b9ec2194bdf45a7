/** The languages that the app speaks. `sp` is Spanish, here and in files; to Intl and `<html lang>` it is `es-ES`. */
export const languages = ['en', 'sp'] as const;
export type Language = (typeof languages)[number];
