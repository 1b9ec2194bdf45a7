CREATE TABLE "patient_erasures" (
	"clinic_id" integer NOT NULL,
	"patient_id" uuid NOT NULL,
	"erased_at" timestamp with time zone NOT NULL,
	"erased_by" integer,
	"reason" text DEFAULT '' NOT NULL,
	CONSTRAINT "patient_erasures_clinic_id_patient_id_pk" PRIMARY KEY("clinic_id","patient_id")
);
--> statement-breakpoint
ALTER TABLE "patients" ADD COLUMN "erased_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sync_ops" ADD COLUMN "rewritten" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "patient_erasures" ADD CONSTRAINT "patient_erasures_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sync_ops_clinic_id_aggregate_index" ON "sync_ops" USING btree ("clinic_id","aggregate");--> statement-breakpoint
CREATE INDEX "sync_ops_refused" ON "sync_ops" USING btree ("clinic_id") WHERE status = 'refused';