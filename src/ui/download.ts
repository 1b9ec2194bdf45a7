/** Saves a file through the browser's download. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The URL is needed only until the click has started the download.
  setTimeout(() => URL.revokeObjectURL(url));
}
