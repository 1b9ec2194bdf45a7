CREATE TABLE "drawer_movements" (
	"clinic_id" integer NOT NULL,
	"op_id" uuid NOT NULL,
	"drawer_id" uuid NOT NULL,
	"amount_minor" bigint NOT NULL,
	"reason" text NOT NULL,
	"actor_id" integer NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	CONSTRAINT "drawer_movements_clinic_id_op_id_pk" PRIMARY KEY("clinic_id","op_id")
);
--> statement-breakpoint
CREATE TABLE "drawers" (
	"clinic_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"opened_by" integer NOT NULL,
	"device_id" integer NOT NULL,
	"float_minor" bigint NOT NULL,
	"closed_at" timestamp with time zone,
	"closed_by" integer,
	"counted" jsonb,
	"notes" text DEFAULT '' NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "drawers_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "waiting" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "cleared_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "device_id" integer;--> statement-breakpoint
-- A payment was taken on the device whose operation it is; one of before there were receipts, where its treatment was made.
UPDATE payments p SET device_id = coalesce(
  (SELECT s.device_id FROM sync_ops s WHERE s.clinic_id = p.clinic_id AND s.op_id = p.op_id),
  (SELECT o.device_id FROM orders o WHERE o.clinic_id = p.clinic_id AND o.id = p.order_id)
);--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "device_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "drawer_movements" ADD CONSTRAINT "drawer_movements_clinic_id_drawer_id_drawers_clinic_id_id_fk" FOREIGN KEY ("clinic_id","drawer_id") REFERENCES "public"."drawers"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drawers" ADD CONSTRAINT "drawers_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "drawer_movements_clinic_id_drawer_id_index" ON "drawer_movements" USING btree ("clinic_id","drawer_id");--> statement-breakpoint
CREATE INDEX "drawers_clinic_id_xid_id_index" ON "drawers" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "drawers_clinic_id_opened_at_index" ON "drawers" USING btree ("clinic_id","opened_at");--> statement-breakpoint
CREATE INDEX "drawers_clinic_id_closed_at_index" ON "drawers" USING btree ("clinic_id","closed_at");--> statement-breakpoint
CREATE INDEX "payments_clinic_id_effective_at_index" ON "payments" USING btree ("clinic_id","effective_at");--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON drawers FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
