CREATE TABLE "fiscal_certificates" (
	"clinic_id" integer PRIMARY KEY NOT NULL,
	"sealed" "bytea" NOT NULL,
	"holder" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"uploaded_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fiscal_senders" (
	"tax_id" text PRIMARY KEY NOT NULL,
	"next_call_at" timestamp with time zone NOT NULL,
	"wait_seconds" integer NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"most_records" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fiscal_sendings" (
	"clinic_id" integer NOT NULL,
	"record_id" bigint NOT NULL,
	"tax_id" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"code" integer,
	"message" text,
	"replied_at" timestamp with time zone,
	CONSTRAINT "fiscal_sendings_clinic_id_record_id_pk" PRIMARY KEY("clinic_id","record_id")
);
--> statement-breakpoint
ALTER TABLE "fiscal_certificates" ADD CONSTRAINT "fiscal_certificates_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fiscal_sendings" ADD CONSTRAINT "fiscal_sendings_clinic_id_record_id_fiscal_records_clinic_id_id_fk" FOREIGN KEY ("clinic_id","record_id") REFERENCES "public"."fiscal_records"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "fiscal_sendings_unsent" ON "fiscal_sendings" USING btree ("clinic_id","tax_id","record_id") WHERE state = 'unsent';