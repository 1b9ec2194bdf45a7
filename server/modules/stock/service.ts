/** The catalogue: supplies and services (stock), products made of them, and their categories. */
export { feedCatalogue } from './resources.ts';
export { decideAdjustment } from './movements.ts';
export { loadSellables } from './sellables.ts';
