/** A walk over every page that a person at the counter sees. */
import { expect } from '@playwright/test';
import type { Tablet } from '../support/tablet.ts';
import { lock, pins, setPin } from './pins.ts';

/** Opens each page in turn and checks it. */
export async function walkCounter(tablet: Tablet, check: () => Promise<void>): Promise<void> {
  const { page } = tablet;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await check();
  await tablet.signIn('counter');
  await check();
  await tablet.service('3D scan').click();
  await check();
  await page.getByRole('tab', { name: /payment/i }).click();
  await page.getByRole('listitem').filter({ hasText: /T-A1-/ }).first().getByText(/T-A1-/).click();
  await expect(page.getByRole('button', { name: 'Process Payment' })).toBeVisible();
  await check();
  await page.goto('/outbox');
  await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible();
  await check();
  await page.goto('/admin');
  await expect(page.getByText('Access Denied')).toBeVisible();
  await check();
  await setPin(page, 'counter');
  await lock(page);
  await expect(page.getByRole('group', { name: 'PIN pad' })).toBeVisible();
  await page.keyboard.type(pins.manager);
  await expect(page.getByText('Wrong PIN')).toBeVisible();
  await check();
  await page.getByRole('button', { name: 'Use password instead' }).click();
  await check();
}
