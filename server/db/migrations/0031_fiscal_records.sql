CREATE TABLE "fiscal_records" (
	"clinic_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "fiscal_records_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chain" text NOT NULL,
	"device_id" integer NOT NULL,
	"sequence" integer NOT NULL,
	"type" text NOT NULL,
	"number" text NOT NULL,
	"paper_op_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"seal" text NOT NULL,
	"record" json NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "fiscal_records_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
ALTER TABLE "device_codes" ADD COLUMN "retired_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "fiscal_records" ADD CONSTRAINT "fiscal_records_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "fiscal_records_clinic_id_chain_device_id_sequence_index" ON "fiscal_records" USING btree ("clinic_id","chain","device_id","sequence");--> statement-breakpoint
CREATE INDEX "fiscal_records_clinic_id_paper_op_id_index" ON "fiscal_records" USING btree ("clinic_id","paper_op_id");--> statement-breakpoint
CREATE INDEX "fiscal_records_cancelled" ON "fiscal_records" USING btree ("clinic_id","number") WHERE type = 'cancel';