-- Totals are counted anew, by currency and by what is owed.
DELETE FROM "day_figures";--> statement-breakpoint
DELETE FROM "day_orders";--> statement-breakpoint
DELETE FROM "day_items";--> statement-breakpoint
DELETE FROM "stored_months";--> statement-breakpoint
DELETE FROM "month_items";--> statement-breakpoint
DELETE FROM "month_amounts";--> statement-breakpoint
ALTER TABLE "drawers" ADD COLUMN "currency" text;--> statement-breakpoint
UPDATE "drawers" SET "currency" = coalesce((SELECT "data" ->> 'currency' FROM "settings" s WHERE s."clinic_id" = "drawers"."clinic_id"), 'EUR');--> statement-breakpoint
ALTER TABLE "drawers" ALTER COLUMN "currency" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "day_items" ADD COLUMN "currency" text NOT NULL;--> statement-breakpoint
ALTER TABLE "day_orders" ADD COLUMN "currency" text NOT NULL;--> statement-breakpoint
ALTER TABLE "month_amounts" ADD COLUMN "currency" text NOT NULL;--> statement-breakpoint
ALTER TABLE "month_items" ADD COLUMN "currency" text NOT NULL;--> statement-breakpoint
ALTER TABLE "day_orders" DROP CONSTRAINT "day_orders_clinic_id_day_type_status_pk";--> statement-breakpoint
ALTER TABLE "day_orders" ADD CONSTRAINT "day_orders_clinic_id_day_type_status_currency_pk" PRIMARY KEY("clinic_id","day","type","status","currency");--> statement-breakpoint
ALTER TABLE "month_amounts" DROP CONSTRAINT "month_amounts_clinic_id_month_type_status_amount_minor_pk";--> statement-breakpoint
ALTER TABLE "month_amounts" ADD CONSTRAINT "month_amounts_pk" PRIMARY KEY("clinic_id","month","type","status","currency","amount_minor");--> statement-breakpoint
DROP INDEX "orders_reported";--> statement-breakpoint
CREATE INDEX "orders_reported" ON "orders" USING btree ("clinic_id","business_day","created_at","id","type","status","total_minor","paid_minor","currency");
