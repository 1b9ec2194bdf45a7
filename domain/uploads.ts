/** What may be uploaded, as both ends check it. */

/** A picture of something the counter sells, or the receipt of an expense. */
export const uploadPurposes = ['picture', 'receipt'] as const;
export type UploadPurpose = (typeof uploadPurposes)[number];

export const maxUploadBytes = 10 * 1024 * 1024;

export const uploadMediaTypes = {
  picture: ['image/png', 'image/jpeg', 'image/gif'],
  receipt: ['image/png', 'image/jpeg', 'application/pdf'],
} as const satisfies Record<UploadPurpose, readonly string[]>;
