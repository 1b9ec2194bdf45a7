/** The wire's form of a column, for documents that PostgreSQL builds itself. In the program the same conversions stand in `domain`. */

/** An instant as ISO 8601 in UTC with milliseconds. */
export const isoText = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Thousandths as a decimal. */
export const quantityOf = (column: string): string => `(${column} / 1000.0)::float8`;

/** Minor units as a decimal. */
export const amountOf = (column: string): string => `(${column} / 100.0)::float8`;

/**
 * What `searchKey` of the domain makes of a text, but for its spaces: to compare and to sort by. For columns of few rows, which
 * keep no key of their own; in which collation a database was made does not matter then.
 */
export const keyOf = (text: string): string =>
  String.raw`lower(regexp_replace(normalize(${text}, nfd), '[\u0300-\u036f]', '', 'g')) collate "C"`;

/** What a person typed, for the right side of `like`: its own wildcards mean themselves. */
export const likeText = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`);
