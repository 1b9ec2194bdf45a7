/** The open event streams of this process, by session. */

/** One page of a browser has one stream; a person seldom has more pages open. */
export const streamsPerSession = 8;
/** Somebody may be signed in on a dozen tablets; the others of the clinic keep the rest. */
export const streamsPerPerson = 100;
export const streamsPerClinic = 500;

/** A session, as `session_ends` names it: clinic and `jti`. */
export interface SessionKey {
  clinicId: number;
  jti: string;
}

export interface EventStream extends SessionKey {
  userId: number;
  end(): void;
}

const nameOf = ({ clinicId, jti }: SessionKey): string => `${clinicId} ${jti}`;

export class OpenStreams {
  private readonly sessions = new Map<string, Set<EventStream>>();
  private readonly ofClinic = new Map<number, number>();
  private readonly ofPerson = new Map<string, number>();
  size = 0;

  hasRoomFor(asked: Omit<EventStream, 'end'>): boolean {
    const own = this.sessions.get(nameOf(asked))?.size ?? 0;
    return (
      own < streamsPerSession &&
      (this.ofPerson.get(personOf(asked)) ?? 0) < streamsPerPerson &&
      (this.ofClinic.get(asked.clinicId) ?? 0) < streamsPerClinic
    );
  }

  add(stream: EventStream): void {
    const name = nameOf(stream);
    this.sessions.set(name, (this.sessions.get(name) ?? new Set()).add(stream));
    this.count(stream, 1);
  }

  remove(stream: EventStream): void {
    const own = this.sessions.get(nameOf(stream));
    if (!own?.delete(stream)) return;
    if (own.size === 0) this.sessions.delete(nameOf(stream));
    this.count(stream, -1);
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

  private count(stream: EventStream, change: number): void {
    this.size += change;
    add(this.ofClinic, stream.clinicId, change);
    add(this.ofPerson, personOf(stream), change);
  }
}

const personOf = ({ clinicId, userId }: Pick<EventStream, 'clinicId' | 'userId'>): string => `${clinicId} ${userId}`;

/** Keeps no counts of 0. */
function add<Key>(counts: Map<Key, number>, key: Key, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
