/** Hands a file to the person. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun once the click is over; the address is only needed until then.
  setTimeout(() => URL.revokeObjectURL(url));
}
