import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** The files that take longest, by a part of their path. */
const longest = [
  'simulation/seeds/',
  'simulation/mutations/',
  'simulation/crashes/',
  'simulation/history',
  'server/fiscal/processes',
  'server/embedded/',
  'server/processes/',
  'server/notifications/',
  'server/db/backup',
  'server/http/fuzz',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longest.findIndex((part) => moduleId.includes(`/tests/${part}`));
  return rank < 0 ? longest.length : rank;
};

/** Starts the longest files first, so that no worker is left alone with one of them at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
