import { pagesScene } from '../scene.ts';

export const board = pagesScene('board', 'admin', {
  preparation: '/admin/kitchen',
});
