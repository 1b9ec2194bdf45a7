import { pagesScene } from '../scene.ts';

export const expenses = pagesScene('expenses', 'admin', {
  expenses: '/admin/expenses',
});
