/** SQL about the documents of treatments, for queries over all of them. */

/** SQL: the first treatment of a collective invoice, by which it stands beside the documents of treatments. @param alias of its table */
export const firstCollected = (alias: string): string => `(${alias}.document #>> '{treatments,0,order_id}')::uuid`;

/**
 * SQL: a document `d` is in a currency, which is that of its treatment. It is looked up for each document: joined, treatments
 * without statistics come first in the plan, and all documents are read again for each of them.
 */
export const isInCurrency = (currency: string): string =>
  `(select o.currency from orders o where o.clinic_id = $1 and o.id = d.order_id) = ${currency}`;
