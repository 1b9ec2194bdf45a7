CREATE TABLE "stock_note_words" (
	"clinic_id" integer NOT NULL,
	"transaction_id" bigint NOT NULL,
	"word" text NOT NULL,
	"type" text NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	CONSTRAINT "stock_note_words_clinic_id_transaction_id_word_pk" PRIMARY KEY("clinic_id","transaction_id","word")
);
--> statement-breakpoint
CREATE TABLE "purchase_order_items" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "purchase_order_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"purchase_order_id" integer NOT NULL,
	"position" integer NOT NULL,
	"stock_id" integer NOT NULL,
	"quantity_milli" bigint NOT NULL,
	"received_milli" bigint DEFAULT 0 NOT NULL,
	"unit_cost_minor" bigint NOT NULL,
	CONSTRAINT "purchase_order_items_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "purchase_orders" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "purchase_orders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"number" text NOT NULL,
	"vendor" text NOT NULL,
	"vendor_contact" text DEFAULT '' NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	"created_by" integer NOT NULL,
	"sent_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "purchase_orders_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "stock_alerts" (
	"clinic_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "stock_alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"stock_id" integer NOT NULL,
	"lot_id" integer,
	"type" text NOT NULL,
	"severity" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"quantity_milli" bigint NOT NULL,
	"threshold_milli" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"acknowledged_at" timestamp with time zone,
	"acknowledged_by" integer,
	"resolved_at" timestamp with time zone,
	"resolved_by" integer,
	"ended_at" timestamp with time zone,
	CONSTRAINT "stock_alerts_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "stock_lot_movements" (
	"clinic_id" integer NOT NULL,
	"lot_id" integer NOT NULL,
	"transaction_id" bigint NOT NULL,
	"change_milli" bigint NOT NULL,
	"order_id" uuid,
	"line_id" uuid,
	CONSTRAINT "stock_lot_movements_clinic_id_lot_id_transaction_id_pk" PRIMARY KEY("clinic_id","lot_id","transaction_id")
);
--> statement-breakpoint
CREATE TABLE "stock_lots" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "stock_lots_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"stock_id" integer NOT NULL,
	"lot_number" text NOT NULL,
	"expires_on" date,
	"received_milli" bigint NOT NULL,
	"remaining_milli" bigint NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "stock_lots_clinic_id_id_pk" PRIMARY KEY("clinic_id","id"),
	CONSTRAINT "stock_lots_once" UNIQUE NULLS NOT DISTINCT("clinic_id","stock_id","lot_number","expires_on"),
	CONSTRAINT "stock_lots_remaining" CHECK (remaining_milli between 0 and received_milli)
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"clinic_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"purpose" text NOT NULL,
	"media_type" text NOT NULL,
	"content" "bytea" NOT NULL,
	"size" integer NOT NULL,
	"uploaded_by" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "uploads_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
DROP INDEX "stock_transactions_clinic_id_stock_id_effective_at_index";--> statement-breakpoint
ALTER TABLE "stock_items" ADD COLUMN "held_milli" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "stock_items" ADD COLUMN "tracks_lots" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "clinics" ADD COLUMN "purchase_orders" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "purchase_order_items" ADD CONSTRAINT "purchase_order_items_order" FOREIGN KEY ("clinic_id","purchase_order_id") REFERENCES "public"."purchase_orders"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_order_items" ADD CONSTRAINT "purchase_order_items_stock" FOREIGN KEY ("clinic_id","stock_id") REFERENCES "public"."stock_items"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_orders" ADD CONSTRAINT "purchase_orders_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_alerts" ADD CONSTRAINT "stock_alerts_clinic_id_stock_id_stock_items_clinic_id_id_fk" FOREIGN KEY ("clinic_id","stock_id") REFERENCES "public"."stock_items"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_lot_movements" ADD CONSTRAINT "stock_lot_movements_clinic_id_lot_id_stock_lots_clinic_id_id_fk" FOREIGN KEY ("clinic_id","lot_id") REFERENCES "public"."stock_lots"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_lots" ADD CONSTRAINT "stock_lots_clinic_id_stock_id_stock_items_clinic_id_id_fk" FOREIGN KEY ("clinic_id","stock_id") REFERENCES "public"."stock_items"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stock_note_words_latest" ON "stock_note_words" USING btree ("clinic_id","word" text_pattern_ops,"effective_at","transaction_id","type");--> statement-breakpoint
CREATE INDEX "purchase_order_items_clinic_id_purchase_order_id_index" ON "purchase_order_items" USING btree ("clinic_id","purchase_order_id");--> statement-breakpoint
CREATE INDEX "purchase_order_items_clinic_id_stock_id_index" ON "purchase_order_items" USING btree ("clinic_id","stock_id");--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_orders_clinic_id_number_index" ON "purchase_orders" USING btree ("clinic_id","number");--> statement-breakpoint
CREATE INDEX "purchase_orders_clinic_id_status_created_at_index" ON "purchase_orders" USING btree ("clinic_id","status","created_at");--> statement-breakpoint
CREATE INDEX "purchase_orders_clinic_id_created_at_index" ON "purchase_orders" USING btree ("clinic_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "stock_alerts_standing" ON "stock_alerts" USING btree ("clinic_id","stock_id",coalesce(lot_id, 0)) WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "stock_alerts_clinic_id_resolved_at_id_index" ON "stock_alerts" USING btree ("clinic_id","resolved_at","id");--> statement-breakpoint
CREATE INDEX "stock_lot_movements_clinic_id_transaction_id_index" ON "stock_lot_movements" USING btree ("clinic_id","transaction_id");--> statement-breakpoint
CREATE INDEX "stock_lots_number" ON "stock_lots" USING btree ("clinic_id",lower(lot_number) text_pattern_ops);--> statement-breakpoint
CREATE INDEX "stock_lots_clinic_id_stock_id_expires_on_index" ON "stock_lots" USING btree ("clinic_id","stock_id","expires_on") WHERE remaining_milli > 0;--> statement-breakpoint
CREATE INDEX "stock_lots_clinic_id_expires_on_index" ON "stock_lots" USING btree ("clinic_id","expires_on") WHERE remaining_milli > 0;--> statement-breakpoint
CREATE INDEX "uploads_clinic_id_created_at_index" ON "uploads" USING btree ("clinic_id","created_at");--> statement-breakpoint
CREATE INDEX "stock_items_clinic_id_search_key_id_index" ON "stock_items" USING btree ("clinic_id","search_key","id");--> statement-breakpoint
CREATE INDEX "stock_transactions_of_item" ON "stock_transactions" USING btree ("clinic_id","stock_id","effective_at","id","type");--> statement-breakpoint
CREATE INDEX "stock_transactions_latest" ON "stock_transactions" USING btree ("clinic_id","effective_at","id");--> statement-breakpoint
CREATE INDEX "stock_transactions_of_type" ON "stock_transactions" USING btree ("clinic_id","type","effective_at","id","effect_milli","cost_minor");--> statement-breakpoint
CREATE INDEX "stock_transactions_of_number" ON "stock_transactions" USING btree ("clinic_id","notes" text_pattern_ops) WHERE type = 'usage';