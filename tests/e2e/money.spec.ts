import type { Page } from '@playwright/test';
import { processPayment } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

const amount = (page: Page) => page.getByLabel('Amount', { exact: true });

test('an amount means the same with a comma and with a point, and prints so', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  await tablet.service('Dental cleaning').click();
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  await page.getByRole('button', { name: 'Card', exact: true }).click();

  await amount(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('20,50');
  await expect(page.getByText('EUR 39,50')).toBeVisible();
  const receipt = await processPayment(page);
  await expect(receipt.getByText('EUR 20,50').first()).toBeVisible();
  await expect(receipt.getByText('EUR 39,50').first()).toBeVisible();
  await receipt.close();

  // The caret stays where it is while the text becomes an amount.
  await amount(page).focus();
  await page.keyboard.type('195');
  for (const key of ['ArrowLeft', '.']) await page.keyboard.press(key);
  await page.keyboard.press('End');
  await page.keyboard.press('Tab');
  await expect(amount(page)).toHaveValue('19,50');

  await amount(page).fill('nineteen');
  await amount(page).blur();
  await expect(page.getByText('“nineteen” is not a number. Write it like 12,50.')).toBeVisible();
});

test('change above the bound is asked back, typed or tapped @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  await tablet.service('Dental cleaning').click();
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  await amount(page).fill('2060');
  await page.getByRole('button', { name: 'Process Payment' }).click();
  const question = page.getByRole('dialog', { name: 'Change of EUR 2.000,00. Is that right?' });
  await question.getByRole('button', { name: 'Correct the amount' }).click();
  await expect(amount(page)).toHaveValue('2.060,00');

  const keypad = page.getByRole('group', { name: 'Keypad' });
  await keypad.getByRole('button', { name: 'Delete the last digit' }).click();
  await keypad.getByRole('button', { name: '0', exact: true }).click();
  await page.getByRole('button', { name: 'Process Payment' }).click();
  await question.getByRole('button', { name: 'Correct the amount' }).click();
  await amount(page).fill('260');
  // Up to the bound nobody asks.
  const invoice = await processPayment(page);
  await expect(invoice.getByText('EUR 200,00').first()).toBeVisible();
});
