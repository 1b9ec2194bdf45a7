CREATE TABLE "letters" (
	"clinic_id" integer NOT NULL,
	"kind" text NOT NULL,
	"day" date NOT NULL,
	"status" text DEFAULT 'due' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "letters_clinic_id_kind_day_pk" PRIMARY KEY("clinic_id","kind","day")
);
--> statement-breakpoint
ALTER TABLE "letters" ADD CONSTRAINT "letters_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_lines_served" ON "order_lines" USING btree ("clinic_id","order_id") WHERE preparation = 'served';