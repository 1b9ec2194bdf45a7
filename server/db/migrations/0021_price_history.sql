CREATE TABLE "former_prices" (
	"clinic_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "former_prices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"stock_id" integer,
	"product_id" integer,
	"price_minor" bigint NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "former_prices_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
ALTER TABLE "day_amounts" ALTER COLUMN "totals_minor" SET DATA TYPE numeric[];--> statement-breakpoint
ALTER TABLE "day_amounts" ALTER COLUMN "paid_minor" SET DATA TYPE numeric[];--> statement-breakpoint
ALTER TABLE "day_amounts" ALTER COLUMN "refunded_minor" SET DATA TYPE numeric[];--> statement-breakpoint
ALTER TABLE "day_orders" ALTER COLUMN "total_minor" SET DATA TYPE numeric;--> statement-breakpoint
ALTER TABLE "day_orders" ALTER COLUMN "paid_minor" SET DATA TYPE numeric;--> statement-breakpoint
ALTER TABLE "day_orders" ALTER COLUMN "refunded_minor" SET DATA TYPE numeric;--> statement-breakpoint
CREATE INDEX "former_prices_clinic_id_stock_id_until_index" ON "former_prices" USING btree ("clinic_id","stock_id","until") WHERE stock_id is not null;--> statement-breakpoint
CREATE INDEX "former_prices_clinic_id_product_id_until_index" ON "former_prices" USING btree ("clinic_id","product_id","until") WHERE product_id is not null;
--> statement-breakpoint
-- Every way to change a price passes here: forms, tables and deliveries.
CREATE FUNCTION keep_former_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'products' THEN
    INSERT INTO former_prices (clinic_id, product_id, price_minor, until) VALUES (OLD.clinic_id, OLD.id, OLD.price_minor, NEW.updated_at);
  ELSE
    INSERT INTO former_prices (clinic_id, stock_id, price_minor, until) VALUES (OLD.clinic_id, OLD.id, OLD.cost_minor, NEW.updated_at);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER keep_former_price AFTER UPDATE ON stock_items FOR EACH ROW WHEN (OLD.cost_minor <> NEW.cost_minor) EXECUTE FUNCTION keep_former_price();
--> statement-breakpoint
CREATE TRIGGER keep_former_price AFTER UPDATE ON products FOR EACH ROW WHEN (OLD.price_minor <> NEW.price_minor) EXECUTE FUNCTION keep_former_price();
