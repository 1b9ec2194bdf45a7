import { describeCrashes } from './crash-blocks.ts';
import { scenarios } from './scenarios.ts';

describeCrashes(scenarios.slice(6));
