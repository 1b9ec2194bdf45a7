/**
 * Times at which a day, a month, a year or an offset from UTC changes in the clinic's time zone, Europe/Madrid. `npm test` begins on an
 * ordinary morning; the long run takes one of these by its seed.
 */
export const oddStarts = [
  // Minutes before the end of a month, of February and of the year, and the first morning of a year.
  '2027-04-30T21:50:00Z',
  '2027-02-28T22:50:00Z',
  '2027-12-31T22:50:00Z',
  '2028-01-01T08:00:00Z',
  '2028-02-29T10:00:00Z',
  // Before the clocks go forward, and within the hour that comes twice when they go back.
  '2027-03-28T00:50:00Z',
  '2027-10-31T00:50:00Z',
  '2027-10-31T01:20:00Z',
  // A night a week after each change.
  '2027-04-03T22:30:00Z',
  '2027-11-07T22:30:00Z',
  // A Sunday, and a night.
  '2027-03-14T11:00:00Z',
  '2027-06-16T01:30:00Z',
];

export const oddStart = (seed) => oddStarts[seed % oddStarts.length];
