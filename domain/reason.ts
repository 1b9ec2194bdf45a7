/** The shortest reason, in characters, that a void, a refund, a large discount or the settling of an attention item takes. */
export const minReasonLength = 3;

export const isReasonTooShort = (reason: string): boolean => reason.trim().length < minReasonLength;
