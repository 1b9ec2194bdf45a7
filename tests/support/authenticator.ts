/** An authenticator in software: what `navigator.credentials` is to the app, and what the server gets of it. */
import { Buffer } from 'node:buffer';
import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyPairKeyObjectResult } from 'node:crypto';
import { seededRandom } from './random.ts';
import { unique } from './unique.ts';

export interface MadeCredential {
  id: Buffer;
  /** Other secrets are derived from it. */
  secret: Buffer;
  keys: KeyPairKeyObjectResult;
}

/** What an assertion says. A test lies in one of these. */
export interface Said {
  challenge: string;
  origin: string;
  type: string;
  /** By the names of WebAuthn; others are added as they are. */
  client: object;
  rpId: string;
  /** Bit 0: somebody was present; bit 2: they were verified. */
  flags: number;
  signatures: number;
  /** Follows the data, as extensions do. */
  rest: Buffer;
}

const bytesOf = (source: BufferSource): Buffer =>
  source instanceof ArrayBuffer
    ? Buffer.from(source)
    : Buffer.from(source.buffer, source.byteOffset, source.byteLength);

const exact = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;

export class Authenticator {
  readonly made: MadeCredential[] = [];
  readonly asked: PublicKeyCredentialCreationOptions[] = [];
  hasPrf = true;
  /** Whether its person confirms. */
  confirms = true;
  signatures = 0;

  constructor(readonly origin = 'https://counter.clinic.lan') {}

  /** Makes a credential, outside a browser. */
  make(): MadeCredential {
    const random = seededRandom(1, unique('credential'));
    const made = {
      id: Buffer.from(random.bytes(32)),
      secret: Buffer.from(random.bytes(32)),
      keys: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    };
    this.made.push(made);
    return made;
  }

  publicKeyOf = ({ keys }: MadeCredential): Buffer => keys.publicKey.export({ format: 'der', type: 'spki' });

  /** Signs a challenge, as the server gets it. */
  assert({ id, keys }: MadeCredential, challenge: string, lie: Partial<Said> = {}) {
    this.signatures += 1;
    const { origin, signatures } = this;
    const said: Said = {
      challenge,
      origin,
      type: 'webauthn.get',
      client: { crossOrigin: false },
      rpId: new URL(origin).hostname,
      flags: 0x05,
      signatures,
      rest: Buffer.alloc(0),
      ...lie,
    };
    const { type, client } = said;
    const clientData = Buffer.from(JSON.stringify({ type, challenge: said.challenge, origin: said.origin, ...client }));
    const head = Buffer.alloc(5);
    head.writeUInt8(said.flags);
    head.writeUInt32BE(said.signatures, 1);
    const data = Buffer.concat([createHash('sha256').update(said.rpId).digest(), head, said.rest]);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    return {
      credential_id: id.toString('base64url'),
      client_data: clientData.toString('base64url'),
      authenticator_data: data.toString('base64url'),
      signature: sign('sha256', signed, keys.privateKey).toString('base64url'),
    };
  }

  readonly credentials = {
    create: async ({ publicKey }: CredentialCreationOptions): Promise<object> => {
      this.confirm(publicKey!.authenticatorSelection?.userVerification);
      this.asked.push(publicKey!);
      const made = this.make();
      return {
        rawId: exact(made.id),
        response: { getPublicKey: () => exact(this.publicKeyOf(made)) },
        getClientExtensionResults: () => (this.hasPrf ? { prf: { enabled: true } } : {}),
      };
    },
    get: async ({ publicKey }: CredentialRequestOptions): Promise<object> => {
      const { allowCredentials, challenge, extensions, userVerification } = publicKey!;
      this.confirm(userVerification);
      const made = this.made.find(({ id }) => allowCredentials!.some((one) => bytesOf(one.id).equals(id)));
      if (!made) throw new DOMException('No such credential', 'NotAllowedError');
      const { evalByCredential } = (
        extensions as { prf: { evalByCredential: Record<string, { first: BufferSource }> } }
      ).prf;
      const { first } = evalByCredential[made.id.toString('base64url')]!;
      const derived = createHmac('sha256', made.secret).update(bytesOf(first)).digest();
      const sent = this.assert(made, bytesOf(challenge).toString('base64url'));
      return {
        rawId: exact(made.id),
        response: {
          clientDataJSON: exact(Buffer.from(sent.client_data, 'base64url')),
          authenticatorData: exact(Buffer.from(sent.authenticator_data, 'base64url')),
          signature: exact(Buffer.from(sent.signature, 'base64url')),
        },
        getClientExtensionResults: () => (this.hasPrf ? { prf: { results: { first: exact(derived) } } } : {}),
      };
    },
  };

  private confirm(verification: string | undefined): void {
    if (verification !== 'required') throw new Error('The app does not have its person verified.');
    if (!this.confirms) throw new DOMException('Cancelled', 'NotAllowedError');
  }
}
