/** SQL about the documents of treatments, for queries over all of them. */

/** SQL: the first treatment of a collective invoice, which gives it a place among the documents of treatments. @param alias of its table */
export const firstCollected = (alias: string): string => `(${alias}.document #>> '{treatments,0,order_id}')::uuid`;

/**
 * SQL: a document `d` has the currency of its treatment. A subquery finds it for each document: in a join, PostgreSQL puts treatments
 * without statistics first, and reads all documents again for each of them.
 */
export const isInCurrency = (currency: string): string =>
  `(select o.currency from orders o where o.clinic_id = $1 and o.id = d.order_id) = ${currency}`;
