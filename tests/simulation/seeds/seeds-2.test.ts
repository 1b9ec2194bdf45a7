import { describeSeeds } from './seed-blocks.ts';

describeSeeds({ from: 1001, count: 1000 });
