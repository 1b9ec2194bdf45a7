/** A form of the desk that somebody overtakes: it undoes nothing, and asks about what both have changed. */
import type { UserClaims } from '#domain/staff/roles.ts';
import type { PurchaseOrderResource } from '#domain/stock/resources.ts';
import { draftSavedMs } from '../support/tablet.ts';
import { expect, test } from './desk.ts';
import { chooseAction, field } from './elements.ts';
import { addItem } from './stock-elements.ts';

test('a form and its kept draft restore nothing that was changed meanwhile, and what both changed is asked', async ({
  desk,
  clinic,
}) => {
  const email = 'overtaken@clinic.test';
  const member = {
    name: 'Nuria Vidal',
    email,
    password: 'sol y sombra',
    role: 'counter',
    status: 'active',
  };
  const { data: made } = await clinic.api<{ data: UserClaims }>('/users', member);
  const stored = async (): Promise<UserClaims> =>
    (await clinic.api<{ data: UserClaims[] }>('/users?size=100')).data.find(({ id }) => id === made.id)!;
  const meanwhile = (changes: object) => clinic.api(`/users/${made.id}`, changes, 'PUT');

  const { page } = await desk('admin', '/admin/staff');
  const row = page.getByRole('row').filter({ hasText: email });
  const save = page.getByRole('button', { name: 'Update user', exact: true });
  const open = () => chooseAction(row, member.name, 'Edit');

  await test.step('somebody sets the person inactive while a phone number is typed', async () => {
    await open();
    await field(page, 'Phone (optional)').fill('600 100 200');
    await meanwhile({ status: 'inactive' });
    await save.click();
    await expect(page.getByText('Nuria Vidal was updated')).toBeVisible();
    expect(await stored()).toMatchObject({
      phone: '600 100 200',
      status: 'inactive',
      role: 'counter',
    });
  });

  await test.step('a kept draft tells what has changed since, and restores neither role nor email', async () => {
    await open();
    await field(page, 'Phone (optional)').fill('600 300 400');
    await page.waitForTimeout(draftSavedMs);
    await page.keyboard.press('Escape');
    await meanwhile({ role: 'manager', email: `new-${email}` });
    await page.reload();
    await open();
    await expect(page.getByText('Your earlier entries are still here.')).toBeVisible();
    await expect(page.getByText(/Since you began: .*Role is now Manager/)).toBeVisible();
    await expect(field(page, 'Phone (optional)')).toHaveValue('600 300 400');
    await save.click();
    await expect(page.getByText('Nuria Vidal was updated').last()).toBeVisible();
    expect(await stored()).toMatchObject({
      phone: '600 300 400',
      role: 'manager',
      email: `new-${email}`,
    });
  });

  await test.step('what both have changed is shown side by side, and stays as its person decides', async () => {
    await open();
    await field(page, 'Phone (optional)').fill('600 500 600');
    await meanwhile({ phone: '600 700 800' });
    await save.click();
    const asked = page.getByRole('alert', { name: 'Somebody else has changed this too' });
    await expect(asked).toContainText('600 500 600');
    await expect(asked).toContainText('600 700 800');
    expect(await stored()).toMatchObject({ phone: '600 700 800' });
    await save.click();
    await expect(asked).toBeFocused();
    await page.getByRole('button', { name: /^Keep mine/ }).click();
    await save.click();
    await expect(asked).toBeHidden();
    await expect.poll(stored).toMatchObject({ phone: '600 500 600' });
  });
});

test('a line that was taken out of an order stays out, after a reload and after others have added lines', async ({
  desk,
  clinic,
}) => {
  const [first, second, third] = [
    await addItem(clinic, 'Bite wax'),
    await addItem(clinic, 'Etching gel'),
    await addItem(clinic, 'Floss'),
  ];
  const lines = [first, second, third].map(({ id }) => ({ stock_id: id, quantity: 2, unit_cost: 5 }));
  const { data: order } = await clinic.api<{ data: PurchaseOrderResource }>('/purchase-orders', {
    vendor: 'Lines of two',
    items: lines.slice(0, 2),
  });
  const { page } = await desk('manager', `/purchase-orders?order=${order.id}`);
  const form = page.getByRole('dialog');
  const removes = form.getByRole('button', { name: /^Remove/ });
  const edit = page.getByRole('button', { name: 'Edit', exact: true });

  await edit.click();
  await form.getByRole('button', { name: `Remove ${second.name}` }).click();
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await edit.or(removes).first().waitFor();
  if (await edit.isVisible()) await edit.click();
  await expect(page.getByText('Your earlier entries are still here.')).toBeVisible();
  await expect(removes).toHaveCount(1);

  await clinic.api(`/purchase-orders/${order.id}`, { items: lines }, 'PUT');
  const save = page.getByRole('button', { name: 'Save changes' });
  await save.click();
  await page.getByRole('button', { name: 'Keep mine: Items' }).click();
  await expect(removes).toHaveCount(1);
  await save.click();
  await expect(form).toBeHidden();
  const { data: stored } = await clinic.api<{ data: PurchaseOrderResource }>(`/purchase-orders/${order.id}`);
  expect(stored.items.map(({ stock_id }) => stock_id)).toEqual([first.id]);
});
