/** Finds amounts that a field shows only in part. */
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

/** As typed, and as the field shows it afterwards. */
const amounts = { '100': '100,00', '1000': '1.000,00', '12345,67': '12.345,67' };

/** The fields for an amount that stand on the page. */
export const amountFields = (page: Page): Locator => page.locator('[data-amount]:visible:not([readonly])');

/** Types each amount into a field and expects that the whole of it is seen, while somebody types and afterwards. */
export async function expectWholeAmounts(field: Locator): Promise<void> {
  for (const [typed, shown] of Object.entries(amounts)) {
    await field.fill(typed);
    await expectWhole(field, typed);
    await field.blur();
    await expect(field).toHaveValue(shown);
    await expectWhole(field, shown);
  }
}

/** The same for a field that goes when the focus leaves it. */
export async function expectWholeWhileTyped(field: Locator): Promise<void> {
  for (const text of Object.entries(amounts).flat()) {
    await field.fill(text);
    await expectWhole(field, text);
  }
}

/** Expects that the text of a field is not cut off, that nothing in the field lies over it, and that the field is in the window. */
export async function expectWhole(field: Locator, text: string): Promise<void> {
  const { hidden, covered, outside } = await field.evaluate((input: HTMLInputElement) => {
    const style = getComputedStyle(input);
    const copy = document.createElement('span');
    copy.textContent = input.value;
    copy.style.font = style.font;
    copy.style.fontVariantNumeric = style.fontVariantNumeric;
    copy.style.position = 'fixed';
    document.body.append(copy);
    const textWidth = copy.getBoundingClientRect().width;
    copy.remove();
    const { left, right } = input.getBoundingClientRect();
    const lead = input.previousElementSibling?.firstElementChild?.getBoundingClientRect().right ?? left;
    return {
      hidden: Math.max(0, input.scrollWidth - input.clientWidth),
      covered: Math.max(0, Math.round(lead - (right - parseFloat(style.paddingRight) - textWidth))),
      outside: Math.max(0, Math.round(right - innerWidth)),
    };
  });
  const name = (await field.getAttribute('aria-label')) ?? (await field.getAttribute('id'));
  expect({ hidden, covered, outside }, `“${text}” in ${name}`).toEqual({ hidden: 0, covered: 0, outside: 0 });
}
