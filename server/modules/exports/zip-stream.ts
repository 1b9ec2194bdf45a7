/**
 * A zip archive that is sent while it is written. Compressing happens off this thread, so that other requests are answered
 * meanwhile. Several files may be written side by side: the archive holds them one after another, so what is compressed of
 * the later ones waits in memory until those before them have ended.
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

  /** @param mtime milliseconds since 1970, which every file in the archive carries */
  constructor(private readonly mtime: number) {}

  file(name: string): ZipFile {
    const file = new ZipFile(name, this.mtime);
    this.files.push(file);
    this.archive.add(file);
    return file;
  }

  /** What can be sent by now. */
  take(): Uint8Array[] {
    const taken = this.ready;
    this.ready = [];
    return taken;
  }

  /** Every file has ended: the rest of the archive is ready to be taken. */
  end(): void {
    this.archive.end();
  }

  /** Gives up what is still being compressed. */
  destroy(): void {
    for (const file of this.files) file.destroy();
  }
}

const deflated = 8;

export class ZipFile implements ZipInputFile {
  readonly compression = deflated;
  size = 0;
  crc = 0;
  /** The archive's ear, which it attaches itself. */
  ondata!: AsyncFlateStreamHandler;
  private readonly deflate = createDeflateRaw();

  constructor(
    readonly filename: string,
    readonly mtime: number,
  ) {
    this.deflate.on('data', (chunk: Uint8Array<ArrayBuffer>) => this.ondata(null, chunk, false));
  }

  /** Resolves when the text has been compressed, so that whoever waits never runs ahead of the compressor. */
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
