CREATE TABLE "patients" (
	"clinic_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"name_at" timestamp with time zone NOT NULL,
	"search_key" text NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"phone_at" timestamp with time zone NOT NULL,
	"phone_key" text DEFAULT '' NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "patients_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
ALTER TABLE "expenses" ADD COLUMN "drawer_id" uuid;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "patient_id" uuid;--> statement-breakpoint
ALTER TABLE "patients" ADD CONSTRAINT "patients_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "patients_clinic_id_xid_id_index" ON "patients" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "patients_clinic_id_search_key_id_index" ON "patients" USING btree ("clinic_id","search_key","id");--> statement-breakpoint
CREATE INDEX "orders_clinic_id_patient_id_created_at_index" ON "orders" USING btree ("clinic_id","patient_id","created_at") WHERE patient_id is not null;--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON patients FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
