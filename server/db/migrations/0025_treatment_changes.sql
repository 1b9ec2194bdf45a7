CREATE TABLE "order_changes" (
	"clinic_id" integer NOT NULL,
	"op_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"removed_ids" jsonb NOT NULL,
	"fields" jsonb NOT NULL,
	"actor_id" integer NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	CONSTRAINT "order_changes_clinic_id_op_id_pk" PRIMARY KEY("clinic_id","op_id")
);
--> statement-breakpoint
DROP INDEX "sync_ops_deeds_idx";--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "replaces" uuid;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "removed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "op_id" uuid;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "agreed_discount_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_changes" ADD CONSTRAINT "order_changes_clinic_id_order_id_orders_clinic_id_id_fk" FOREIGN KEY ("clinic_id","order_id") REFERENCES "public"."orders"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_changes_clinic_id_order_id_index" ON "order_changes" USING btree ("clinic_id","order_id");--> statement-breakpoint
CREATE INDEX "sync_ops_deeds_idx" ON "sync_ops" USING btree ("clinic_id","effective_at","op_id") WHERE status = 'applied' and kind in ('order.create', 'order.add_services', 'order.change', 'order.cancel', 'order.pay', 'order.refund', 'stock.adjust');--> statement-breakpoint
UPDATE "orders" o SET "op_id" = (SELECT l."op_id" FROM "order_lines" l
  WHERE l."clinic_id" = o."clinic_id" AND l."order_id" = o."id" ORDER BY l."position" LIMIT 1),
  "agreed_discount_minor" = "discount_minor";
