/** Moves the clock of a Node.js process before anything else is loaded. `fixed-run.ts` has each process of a run preload this. */
import { moveClock } from './move-clock.mjs';

moveClock(Number(process.env.TEST_CLOCK_OFFSET_MS));
