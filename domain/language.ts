/** The languages of the app. `sp` is Spanish in code and files; for Intl and `<html lang>` it becomes `es-ES`. */
export const languages = ['en', 'sp'] as const;
export type Language = (typeof languages)[number];
