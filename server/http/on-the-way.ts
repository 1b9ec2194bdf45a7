/** Counts bytes that wait in the memory of this process for somebody outside: of each person, and in all. */
export class BytesOnTheWay {
  private readonly bytesOf = new Map<string, number>();
  private all = 0;

  constructor(private readonly most: { ofOne: number; ofAll: number }) {}

  /**
   * Returns whether somebody may have so many bytes more. Nothing is too long for who has nothing else on the way.
   *
   * @param counted what is counted already of the same body or reply
   */
  hasRoomFor(who: string, bytes: number, counted = 0): boolean {
    const own = this.bytesOf.get(who) ?? 0;
    return own === counted || (own + bytes <= this.most.ofOne && this.all + bytes <= this.most.ofAll);
  }

  add(who: string, bytes: number): void {
    const own = (this.bytesOf.get(who) ?? 0) + bytes;
    this.all += bytes;
    if (own > 0) this.bytesOf.set(who, own);
    else this.bytesOf.delete(who);
  }
}
