/** SQL: the first treatment of a collective invoice, by which it stands beside the documents of treatments. @param alias of its table */
export const firstCollected = (alias: string): string => `(${alias}.document #>> '{treatments,0,order_id}')::uuid`;
