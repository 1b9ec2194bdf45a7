/** The kinds of storms. */
export const storms = ['description', 'exports', 'runs', 'mails'] as const;
export type Storm = (typeof storms)[number];

export interface StormPlan {
  url: string;
  storm: Storm;
  /** Administrators of the clinic that rages. */
  tokens: string[];
}
