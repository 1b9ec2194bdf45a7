-- An update moves a row to the end of the change feed: whoever read up to an earlier transaction sees it again (SYNC-9).
CREATE FUNCTION stamp_feed_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.xid := pg_current_xact_id();
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON settings FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON categories FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON stock_items FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON products FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON sync_ops FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON attention_items FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% only grows', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER audit_log_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER invoices_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON invoices EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
ALTER TABLE installation ADD CONSTRAINT installation_one_row CHECK ("only");
