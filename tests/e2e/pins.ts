/** PINs of demo people, and the lock. */
import type { Page } from '@playwright/test';
import type { Tablet } from '../support/tablet.ts';
import { expect } from './fixtures.ts';

export const pins = { counter: '407183', manager: '913726' };

/** Sets the PIN on the profile page. */
export async function setPin(page: Page, role: keyof typeof pins): Promise<void> {
  await page.goto('/profile');
  const section = page.getByRole('region', { name: 'PIN on this tablet' });
  const fill = (label: string, text: string) => section.getByLabel(label, { exact: true }).fill(text);
  await fill('New PIN', '123456');
  await section.getByRole('button', { name: 'Set PIN' }).click();
  await expect(section.getByText('This PIN is too easy to guess')).toBeVisible();
  await fill('New PIN', pins[role]);
  await section.getByRole('button', { name: 'Set PIN' }).click();
  await expect(section.getByText('The two PINs do not match')).toBeVisible();
  await fill('Repeat the new PIN', pins[role]);
  await fill('Your password', role === 'manager' ? 'not this one' : `demo-${role}`);
  await section.getByRole('button', { name: 'Set PIN' }).click();
  if (role === 'manager') {
    await expect(section.getByText('Wrong current password')).toBeVisible();
    await fill('Your password', `demo-${role}`);
    await section.getByRole('button', { name: 'Set PIN' }).click();
  }
  await expect(section.getByText('You have a PIN on this tablet.')).toBeVisible();
}

export const locked = (page: Page) => page.getByRole('heading', { name: 'Locked' });

export async function lock(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await expect(locked(page)).toBeVisible();
}

export async function tapPin(page: Page, pin: string): Promise<void> {
  for (const digit of pin) await page.getByRole('button', { name: digit, exact: true }).click();
}

/** Lets a manager set a PIN on the tablet and leaves it to a clerk. */
export async function clerkBesideManager(tablet: Tablet): Promise<void> {
  const { page } = tablet;
  await tablet.signIn('manager');
  await setPin(page, 'manager');
  await lock(page);
  await page.getByRole('link', { name: 'Sign in as someone else' }).click();
  await page.getByLabel('Email', { exact: true }).fill('counter@demo.test');
  await page.getByLabel('Password', { exact: true }).fill('demo-counter');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await tablet.counterReady();
}
