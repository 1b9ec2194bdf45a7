ALTER TABLE "former_prices" ADD COLUMN "tax" text DEFAULT 'E1' NOT NULL;--> statement-breakpoint
ALTER TABLE "order_changes" ADD COLUMN "device_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_changes" ALTER COLUMN "device_id" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "order_changes" ADD COLUMN "device_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_changes" ALTER COLUMN "device_seq" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "patients" ADD COLUMN "name_device_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "patients" ADD COLUMN "name_device_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "patients" ADD COLUMN "phone_device_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "patients" ADD COLUMN "phone_device_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "patients" ADD COLUMN "recipient_device_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "patients" ADD COLUMN "recipient_device_seq" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE order_changes c SET device_id = r.device_id, device_seq = coalesce(r.device_seq, 0)
  FROM sync_ops r WHERE r.clinic_id = c.clinic_id AND r.op_id = c.op_id;
--> statement-breakpoint
-- A tablet that was offline sells with the former tax as it sells at the former price.
CREATE OR REPLACE FUNCTION keep_former_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'products' THEN
    INSERT INTO former_prices (clinic_id, product_id, price_minor, tax, until) VALUES (OLD.clinic_id, OLD.id, OLD.price_minor, OLD.tax, NEW.updated_at);
  ELSE
    INSERT INTO former_prices (clinic_id, stock_id, price_minor, tax, until) VALUES (OLD.clinic_id, OLD.id, OLD.cost_minor, OLD.tax, NEW.updated_at);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
DROP TRIGGER keep_former_price ON stock_items;
--> statement-breakpoint
DROP TRIGGER keep_former_price ON products;
--> statement-breakpoint
CREATE TRIGGER keep_former_price AFTER UPDATE ON stock_items FOR EACH ROW WHEN (OLD.cost_minor <> NEW.cost_minor OR OLD.tax <> NEW.tax) EXECUTE FUNCTION keep_former_price();
--> statement-breakpoint
CREATE TRIGGER keep_former_price AFTER UPDATE ON products FOR EACH ROW WHEN (OLD.price_minor <> NEW.price_minor OR OLD.tax <> NEW.tax) EXECUTE FUNCTION keep_former_price();
