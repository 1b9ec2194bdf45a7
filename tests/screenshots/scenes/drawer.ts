import { denominations } from '#domain/denominations.ts';
import type { Scene } from '../scene.ts';

export const drawer: Scene = {
  name: 'drawer',
  role: 'admin',
  take: async ({ page, picture, visit }) => {
    await visit('day-end', '/admin/reports?tab=day-end');
    await visit('drawer', '/admin/drawer');
    const main = page.getByRole('main');
    const open = main.getByRole('button', { name: /^(Open drawer|Abrir caja)$/ });
    const close = main.getByRole('button', { name: /^(Close drawer|Cerrar caja)$/ });
    await open.or(close).first().waitFor();
    // The drawer of an earlier look is still open.
    if (await open.isVisible()) await open.click();
    await close.waitFor();
    await picture('drawer-open');
    await close.click();
    await main.getByRole('button', { name: /^(Count notes|Contar billetes)/ }).click();
    const pieces = main.getByRole('region', { name: /^(Count notes|Contar billetes)/ }).getByRole('textbox');
    await pieces.nth(denominations.EUR.indexOf(5000)).fill('2');
    await pieces.nth(denominations.EUR.indexOf(1000)).fill('4');
    await picture('drawer-pieces');
    await main.getByRole('button', { name: /^(Compare|Comparar)$/ }).click();
    await picture('drawer-compare');
    await main.getByRole('button', { name: /^(Count again|Contar otra vez)$/ }).click();
    await main.getByRole('button', { name: /^(Not now|Ahora no)$/ }).click();
  },
};
