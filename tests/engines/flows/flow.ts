import type { Testbed } from '../testbed.ts';

/** What a person does with the app, from an empty browser on. The flow throws when the app does something else. */
export interface Flow {
  /** As the table of results shows it. */
  name: string;
  /** In the short form of the run. */
  isSmoke?: boolean;
  /** Runs only when `--only` names it. */
  isOnRequest?: boolean;
  /** @returns what is worth knowing of a run that passed */
  run: (testbed: Testbed) => Promise<string | void>;
}

export function check(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}
