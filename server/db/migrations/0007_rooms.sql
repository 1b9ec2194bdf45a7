ALTER TABLE "rooms" ADD COLUMN "is_occupied" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "rooms" SET "is_occupied" = ("status" = 'occupied');--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "room_id" integer;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "room_number" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "rooms_clinic_id_xid_id_index" ON "rooms" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "orders_clinic_id_room_id_index" ON "orders" USING btree ("clinic_id","room_id") WHERE room_id is not null and status = 'confirmed';--> statement-breakpoint
ALTER TABLE "rooms" DROP COLUMN "status";--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON rooms FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
