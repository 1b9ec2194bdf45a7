CREATE TABLE "day_items" (
	"clinic_id" integer NOT NULL,
	"day" date NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"items" integer[] NOT NULL,
	"orders" integer NOT NULL,
	"total_minor" double precision NOT NULL,
	"paid_minor" double precision NOT NULL,
	"refunded_minor" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "month_amounts" (
	"clinic_id" integer NOT NULL,
	"month" date NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"orders" integer NOT NULL,
	"total_minor" double precision NOT NULL,
	"paid_minor" double precision NOT NULL,
	"refunded_minor" double precision NOT NULL,
	CONSTRAINT "month_amounts_clinic_id_month_type_status_amount_minor_pk" PRIMARY KEY("clinic_id","month","type","status","amount_minor")
);
--> statement-breakpoint
CREATE TABLE "month_items" (
	"clinic_id" integer NOT NULL,
	"month" date NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"items" integer[] NOT NULL,
	"orders" integer NOT NULL,
	"total_minor" double precision NOT NULL,
	"paid_minor" double precision NOT NULL,
	"refunded_minor" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stored_months" (
	"clinic_id" integer NOT NULL,
	"month" date NOT NULL,
	CONSTRAINT "stored_months_clinic_id_month_pk" PRIMARY KEY("clinic_id","month")
);
--> statement-breakpoint
DROP TABLE "day_amounts" CASCADE;--> statement-breakpoint
CREATE INDEX "day_items_clinic_id_day_index" ON "day_items" USING btree ("clinic_id","day");--> statement-breakpoint
CREATE INDEX "month_items_clinic_id_month_index" ON "month_items" USING btree ("clinic_id","month");--> statement-breakpoint
-- The totals of finished days are counted anew, by services sold as well.
DELETE FROM "day_figures";
