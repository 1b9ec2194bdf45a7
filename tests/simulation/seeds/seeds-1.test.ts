import { describeSeeds } from './seed-blocks.ts';

describeSeeds({ from: 1, count: 1000 });
