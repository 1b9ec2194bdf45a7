/**
 * A zip archive written as a stream. Compression runs off the main thread. Several files may be written at once; the
 * archive contains them one after another, so the compressed bytes of later files wait in memory.
 */
import { Zip } from 'fflate';
import type { AsyncFlateStreamHandler, ZipInputFile } from 'fflate';
import { crc32, createDeflateRaw } from 'node:zlib';

export class ZipStream {
  private ready: Uint8Array[] = [];
  private readonly files: ZipFile[] = [];
  private readonly archive = new Zip((fault, chunk) => {
    if (fault) throw fault;
    this.ready.push(chunk);
  });

  /** @param mtime the modification time of every file, milliseconds since 1970 */
  constructor(private readonly mtime: number) {}

  file(name: string): ZipFile {
    const file = new ZipFile(name, this.mtime);
    this.files.push(file);
    this.archive.add(file);
    return file;
  }

  /** Returns the bytes that are ready to be sent. */
  take(): Uint8Array[] {
    const taken = this.ready;
    this.ready = [];
    return taken;
  }

  /** Writes the rest of the archive. Every file must have ended. */
  end(): void {
    this.archive.end();
  }

  /** Abandons the files that are still being compressed. */
  destroy(): void {
    for (const file of this.files) file.destroy();
  }
}

const deflated = 8;

export class ZipFile implements ZipInputFile {
  readonly compression = deflated;
  size = 0;
  crc = 0;
  /** Set by the archive. */
  ondata!: AsyncFlateStreamHandler;
  private readonly deflate = createDeflateRaw();

  constructor(
    readonly filename: string,
    readonly mtime: number,
  ) {
    this.deflate.on('data', (chunk: Uint8Array<ArrayBuffer>) => this.ondata(null, chunk, false));
  }

  /** Resolves when the text has been compressed, so that writers cannot outrun the compressor. */
  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.size += bytes.length;
    this.crc = crc32(bytes, this.crc);
    await new Promise<void>((resolve, reject) => {
      this.deflate.write(bytes, (fault) => (fault ? reject(fault) : resolve()));
    });
  }

  async end(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.deflate.once('end', resolve).once('error', reject).end();
    });
    this.ondata(null, new Uint8Array(0), true);
  }

  destroy(): void {
    this.deflate.destroy();
  }
}
