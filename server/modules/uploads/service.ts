/** Uploads as other modules use them. */
export { pictureFetcher } from './fetch-picture.ts';
export type { FetchPicture } from './fetch-picture.ts';
export { pictureAsPng } from './picture-as-png.ts';
export { PictureShelf } from './drawn-pictures.ts';
export { holdUploads, insertUpload } from './store.ts';
export { takeInPicture } from './take-in-picture.ts';
