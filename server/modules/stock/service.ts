/** The catalogue as other modules use it: supplies and services (stock), products made of them, and their categories. */
export { feedCatalogue, loadPrices, loadSellables } from './catalogue-store.ts';
export { starterTexts } from './starter-texts.ts';

/** Lock key of all writes to a clinic's catalogue: no ingredient is deleted while a product that uses it is saved. */
export const catalogueLock = 'catalogue';
