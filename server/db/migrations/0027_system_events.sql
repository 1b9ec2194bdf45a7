CREATE TABLE "system_events" (
	"clinic_id" integer NOT NULL,
	"kind" text NOT NULL,
	"reference" text NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	CONSTRAINT "system_events_clinic_id_kind_reference_pk" PRIMARY KEY("clinic_id","kind","reference")
);
--> statement-breakpoint
ALTER TABLE "system_events" ADD CONSTRAINT "system_events_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;