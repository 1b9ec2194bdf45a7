export { feedRooms, loadRoom } from './store.ts';
