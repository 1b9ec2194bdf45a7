/** The months of records, by which the tax agency is asked what it has, and how long they wait for its answer. */

/** After so many questions without an answer, half an hour, records go out, and questions go on beside them. */
export const patientFailures = 5;

/** SQL: the month (`yyyy-mm`) of a day of a record (`dd-mm-yyyy`). */
export const monthIn = (day: string): string => `substr(${day}, 7, 4) || '-' || substr(${day}, 4, 2)`;

/** SQL: the months under which the agency may have a record, as a list of values. */
export const monthsOf = (record: string): string =>
  ['issued_on', 'operation_on'].map((day) => monthIn(`${record}.record -> 'fields' ->> '${day}'`)).join(', ');
