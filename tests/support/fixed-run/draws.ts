/** Has each property of a test file draw the same values in each run. Vitest loads this before each test file. */
import fc from 'fast-check';
import { runSeed } from './fixed-run.ts';

fc.configureGlobal({ seed: runSeed });
