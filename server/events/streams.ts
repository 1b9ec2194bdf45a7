/** The open event streams of this process, by session. */

/** One page of a browser has one stream; a person seldom has more pages open. */
export const streamsPerSession = 8;
export const streamsPerClinic = 500;

/** A session, as `session_ends` names it: clinic and `jti`. */
export interface SessionKey {
  clinicId: number;
  jti: string;
}

export interface EventStream extends SessionKey {
  end(): void;
}

const nameOf = ({ clinicId, jti }: SessionKey): string => `${clinicId} ${jti}`;

export class OpenStreams {
  private readonly sessions = new Map<string, Set<EventStream>>();
  private readonly ofClinic = new Map<number, number>();
  size = 0;

  hasRoomFor(session: SessionKey): boolean {
    const own = this.sessions.get(nameOf(session))?.size ?? 0;
    return own < streamsPerSession && (this.ofClinic.get(session.clinicId) ?? 0) < streamsPerClinic;
  }

  add(stream: EventStream): void {
    const name = nameOf(stream);
    this.sessions.set(name, (this.sessions.get(name) ?? new Set()).add(stream));
    this.count(stream.clinicId, 1);
  }

  remove(stream: EventStream): void {
    const own = this.sessions.get(nameOf(stream));
    if (!own?.delete(stream)) return;
    if (own.size === 0) this.sessions.delete(nameOf(stream));
    this.count(stream.clinicId, -1);
  }

  /** Ends the streams of a session. @param name the payload of a notification */
  endNamed(name: string): void {
    for (const stream of this.sessions.get(name) ?? []) stream.end();
  }

  endSession(session: SessionKey): void {
    this.endNamed(nameOf(session));
  }

  endAll(): void {
    for (const name of this.sessions.keys()) this.endNamed(name);
  }

  /** Returns the sessions with a stream. */
  list(): SessionKey[] {
    return [...this.sessions.values()].flatMap((own) => [...own].slice(0, 1));
  }

  private count(clinicId: number, change: number): void {
    this.size += change;
    const count = (this.ofClinic.get(clinicId) ?? 0) + change;
    if (count === 0) this.ofClinic.delete(clinicId);
    else this.ofClinic.set(clinicId, count);
  }
}
