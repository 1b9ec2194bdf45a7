-- What open treatments reserve, counted anew: lines that were used up stay used, and were reserved again when their treatment reopened.
UPDATE "stock_items" s SET "reserved_milli" = promised."milli", "updated_at" = now()
FROM (
  SELECT i."clinic_id", i."id", coalesce(sum(u."milli"), 0) AS "milli"
  FROM "stock_items" i LEFT JOIN (
    SELECT l."clinic_id", coalesce(l."stock_id", p."stock_id") AS "stock_id",
      CASE WHEN l."stock_id" IS NULL THEN round(p."quantity_milli" * l."quantity_milli" / 1000.0) ELSE l."quantity_milli" END AS "milli"
    FROM "orders" o
    JOIN "order_lines" l ON l."clinic_id" = o."clinic_id" AND l."order_id" = o."id" AND l."usage_at" IS NULL
    LEFT JOIN "product_ingredients" p ON l."stock_id" IS NULL AND p."clinic_id" = l."clinic_id" AND p."product_id" = l."product_id"
    WHERE o."status" = 'confirmed'
  ) u ON u."clinic_id" = i."clinic_id" AND u."stock_id" = i."id"
  GROUP BY i."clinic_id", i."id"
) promised
WHERE promised."clinic_id" = s."clinic_id" AND promised."id" = s."id" AND promised."milli" <> s."reserved_milli";
