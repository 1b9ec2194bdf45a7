-- Event streams end with their session, in every process and however it ended: sign-out, a new password, a removed person or device.
CREATE FUNCTION tell_session_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('session_ends', NEW.clinic_id || ' ' || NEW.jti);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER session_ends AFTER UPDATE OF ended_at ON sessions FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION tell_session_end();
