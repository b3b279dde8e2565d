import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** What a browser is told to sign, as far as a key looks at it. */
interface Asked {
  readonly challenge: string;
  readonly rp?: { readonly id?: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

/** What an attacker would change of an answer. */
export interface Forged {
  readonly origin?: string;
  readonly rpId?: string;
  readonly counter?: number;
  readonly verified?: boolean;
  readonly userHandle?: string;
  readonly type?: string;
  readonly challenge?: string;
}

/** A passkey in software, for what no browser would send. */
export class SoftKey {
  readonly #origin: string;
  readonly #id = randomBytes(32);
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  #userHandle = '';
  counter = 1;

  constructor(origin: string) {
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
  }

  /** What a browser sends for a new passkey. */
  make(asked: Asked, forged: Forged = {}): RegistrationResponseJSON {
    this.#userHandle = asked.user?.id ?? '';
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const cose = new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    const length = Buffer.from([0, this.#id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, isoCBOR.encode(cose)]);
    const authData = Buffer.concat([this.#head(asked, 0x40, forged), credential]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return {
      ...this.#about(),
      response: {
        clientDataJSON: base64(this.#client('webauthn.create', asked, forged)),
        attestationObject: base64(isoCBOR.encode(attestation as never)),
        transports: ['internal'],
      },
    };
  }

  /** What a browser sends to sign in. */
  sign(asked: Asked, forged: Forged = {}): AuthenticationResponseJSON {
    this.counter += 1;
    const authData = this.#head(asked, 0, forged);
    const client = this.#client('webauthn.get', asked, forged);
    return {
      ...this.#about(),
      response: {
        clientDataJSON: base64(client),
        authenticatorData: base64(authData),
        signature: base64(sign('sha256', Buffer.concat([authData, sha256(client)]), this.#privateKey)),
        userHandle: forged.userHandle ?? this.#userHandle,
      },
    };
  }

  #about() {
    const id = base64(this.#id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const;
  }

  #head({ rp, rpId = rp?.id ?? '' }: Asked, flags: number, forged: Forged): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(forged.counter ?? this.counter);
    const verified = forged.verified === false ? 0 : 0x04;
    return Buffer.concat([sha256(forged.rpId ?? rpId), Buffer.from([0x01 | verified | flags]), counter]);
  }

  #client(type: string, { challenge }: Asked, forged: Forged): Buffer {
    const said = {
      type: forged.type ?? type,
      challenge: forged.challenge ?? challenge,
      origin: forged.origin ?? this.#origin,
    };
    return Buffer.from(JSON.stringify({ ...said, crossOrigin: false }));
  }
}
