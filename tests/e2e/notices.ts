/** The texts of toasts, and steps that the tests of toasts share. */
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import english from '#locales/en.json' with { type: 'json' };
import spanish from '#locales/sp.json' with { type: 'json' };
import type { Tablet } from '../support/tablet.ts';

const unexpected = { en: 'An unexpected error occurred', sp: 'Se ha producido un error inesperado' };
export const noReply = { en: english.noReply, sp: spanish.noReply };

/** The texts of each action: the title if it fails, and the title if it succeeds on something of this name. */
export const notices = {
  en: {
    staff: {
      create: ['Create user', (name: string) => `${name} was added`],
      update: ['Update user', (name: string) => `${name} was updated`],
      delete: ['Delete user', (name: string) => `${name} was deleted`],
    },
    expense: {
      create: ['The expense was not created', (name: string) => `${name} was created`],
      update: ['The expense was not updated', (name: string) => `${name} was updated`],
      approve: ['The expense was not approved', (name: string) => `${name} was approved`],
      reject: ['The expense was not rejected', (name: string) => `${name} was rejected`],
      delete: ['The expense was not deleted', (name: string) => `${name} was deleted`],
    },
    upload: ['Receipt upload', 'Upload failed - no receipt URL returned', 'This kind of file is not accepted.'],
    settings: ['Save settings', 'Settings saved'],
    profile: ['Save profile', 'Your profile was saved'],
    password: [
      'Change password',
      'Your password was changed',
      'Wrong current password',
      'Too many attempts. Please wait a moment and try again.',
    ],
    drawer: ['Drawer opened', 'Money put in', 'Money taken out'],
    counter: {
      empty: ['No Services Selected', 'Please add services to the treatment plan before creating.'],
      created: 'Treatment created',
      paid: ['Payment completed', 'Cash'],
      refunded: 'Refund recorded',
      cancelled: 'Treatment cancelled',
    },
  },
  sp: {
    staff: {
      create: ['Crear usuario', (name: string) => `Se ha añadido a ${name}`],
      update: ['Actualizar usuario', (name: string) => `Se ha actualizado a ${name}`],
      delete: ['Eliminar usuario', (name: string) => `Se ha eliminado a ${name}`],
    },
    expense: {
      create: ['El gasto no se ha creado', (name: string) => `Se ha creado ${name}`],
      update: ['El gasto no se ha actualizado', (name: string) => `Se ha actualizado ${name}`],
      approve: ['El gasto no se ha aprobado', (name: string) => `Se ha aprobado ${name}`],
      reject: ['El gasto no se ha rechazado', (name: string) => `Se ha rechazado ${name}`],
      delete: ['El gasto no se ha eliminado', (name: string) => `Se ha eliminado ${name}`],
    },
    upload: [
      'Subida del recibo',
      'La subida ha fallado: no se ha recibido la dirección del recibo',
      'Este tipo de archivo no se admite.',
    ],
    settings: ['Guardar ajustes', 'Ajustes guardados'],
    profile: ['Guardar perfil', 'Su perfil se ha guardado'],
    password: [
      'Cambiar contraseña',
      'Su contraseña se ha cambiado',
      'La contraseña actual no es correcta',
      'Demasiados intentos. Espere un momento e inténtelo de nuevo.',
    ],
    drawer: ['Caja abierta', 'Entrada registrada', 'Salida registrada'],
    counter: {
      empty: ['Ningún servicio seleccionado', 'Añada servicios al plan de tratamiento antes de crearlo.'],
      created: 'Tratamiento creado',
      paid: ['Pago completado', 'Efectivo'],
      refunded: 'Devolución registrada',
      cancelled: 'Tratamiento cancelado',
    },
  },
} as const;
export type Language = keyof typeof notices;
type Notice = readonly [failed: string, done: (name: string) => string];

/** The labels of controls, which other tests cover. */
export const labels = { en: english, sp: spanish };

export const toasts = (page: Page, language: Language) =>
  page.getByRole('region', { name: labels[language].app.notifications });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

export async function expectToast(page: Page, language: Language, ...texts: string[]): Promise<void> {
  // All texts must be in one toast.
  const toast = toasts(page, language).locator('> div > div').filter({ hasText: texts[0]! }).last();
  for (const text of texts) await expect(toast.getByText(text, { exact: true })).toBeVisible();
}

/** Expects the texts above the fields of a form, or else in a toast. */
async function expectRefusal(page: Page, language: Language, title: string, reason: string): Promise<void> {
  const toast = toasts(page, language).locator('> div > div');
  const told = toast.or(page.getByRole('alert')).filter({ hasText: title }).last();
  for (const text of [title, reason]) await expect(told.getByText(text, { exact: true })).toBeVisible();
}

/**
 * Makes the action fail by the server, then by the network, and then succeed.
 *
 * @param offersRetry a dialog says that nobody knows whether it was done, and tries it again
 */
export async function failTwiceThenSucceed(
  tablet: Tablet,
  language: Language,
  {
    path,
    action,
    notice: [failed, done],
    name,
    offersRetry = false,
  }: { path: string; action: () => Promise<void>; notice: Notice; name: string; offersRetry?: boolean },
): Promise<void> {
  const { page, context } = tablet;
  await context.route(path, (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'x' } }),
  );
  await action();
  await expectRefusal(page, language, failed, unexpected[language]);
  await context.unroute(path);
  await context.route(path, (route) => (route.request().method() === 'GET' ? route.continue() : route.abort()));
  await action();
  const report = page.getByRole('dialog', { name: failed });
  if (offersRetry) await expect(report.getByText(labels[language].list.unknown)).toBeVisible();
  else await expectToast(page, language, noReply[language].title, noReply[language].text);
  await context.unroute(path);
  if (offersRetry) await report.getByRole('button', { name: labels[language].page.tryAgain }).click();
  else await action();
  await expectToast(page, language, done(name));
}

/** Opens a page in a language at a tablet at which somebody is signed in. */
export async function openIn(language: Language, { page }: Tablet, path: string): Promise<void> {
  await page.evaluate((code) => localStorage.setItem('i18nextLng', code), language);
  await page.goto(path);
}
