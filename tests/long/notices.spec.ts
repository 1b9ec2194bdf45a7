/** The toasts in Spanish. `npm test` has them in English. */
import { testNotices } from '../e2e/notice-tests.ts';

testNotices('sp');
