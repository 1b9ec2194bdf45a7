CREATE TABLE "guesses" (
	"who" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "guesses_last_at_index" ON "guesses" USING btree ("last_at");