import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';

/** The default audience of tokens. */
export const TEST_AUDIENCE = 'plat';

export type TokenAlgorithm = `${'RS' | 'ES' | 'PS'}${256 | 384 | 512}` | 'EdDSA';

export interface TokenIssuerOptions {
  /** One signing key for each; the first signs by default. Default: ES256, the fastest to make. */
  algorithms?: [TokenAlgorithm, ...TokenAlgorithm[]];
  /** The issuer's path below the host, such as `/acme`. Default: none. */
  path?: `/${string}`;
}

export interface TokenOverrides {
  /** Which key signs. Default: the issuer's first. */
  algorithm?: TokenAlgorithm;
  /** From now to `exp`; negative for an expired token. Default 3600. */
  lifetimeSeconds?: number;
  /** Protected header fields in addition to `alg`, `kid` and `typ`, or in their place. */
  header?: Partial<JWTHeaderParameters>;
  /** Signs with this issuer's key instead, without changing the token's claims. */
  signedBy?: TokenIssuer;
}

interface SigningKey {
  algorithm: TokenAlgorithm;
  privateKey: CryptoKey;
  publicJwk: JWK & { kid: string };
}

/** An OpenID Connect issuer on a free loopback port: a discovery document, a key set, and any token that a test wants. */
export class TokenIssuer {
  /** How often the key set was asked for, outages included. */
  jwksFetches = 0;
  private answering = true;
  private readonly published: JWK[] = [];
  private constructor(
    private readonly server: Server,
    private readonly algorithms: [TokenAlgorithm, ...TokenAlgorithm[]],
    private keys: SigningKey[],
    private readonly path: string,
  ) {
    server.on('request', (request, response) => this.answer(request.url ?? '/', response));
  }

  static async start({ algorithms = ['ES256'], path }: TokenIssuerOptions = {}): Promise<TokenIssuer> {
    const server = createServer();
    const issuer = new TokenIssuer(server, algorithms, await makeKeys(algorithms), path ?? '');
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return issuer;
  }

  /** The `iss` claim. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.path}`;
  }

  /**
   * A signed token. `iss`, `aud`, `iat` and `exp` are filled in; a claim given as undefined is left out.
   */
  async token(claims: JWTPayload & { sub?: string }, overrides: TokenOverrides = {}): Promise<string> {
    const key = (overrides.signedBy ?? this).signingKey(overrides.algorithm);
    const now = Math.floor(Date.now() / 1000);
    const filled = {
      iss: this.url,
      aud: TEST_AUDIENCE,
      iat: now,
      exp: now + (overrides.lifetimeSeconds ?? 3600),
      ...claims,
    };
    return new SignJWT(filled)
      .setProtectedHeader({ alg: key.algorithm, kid: key.publicJwk.kid, typ: 'JWT', ...overrides.header })
      .sign(key.privateKey);
  }

  /** The public half of a current key, as the key set shows it. */
  publicJwk(algorithm?: TokenAlgorithm): JWK & { kid: string } {
    return this.signingKey(algorithm).publicJwk;
  }

  /** New keys in place of the present ones: tokens signed so far can't be verified any more. */
  async rotateKeys(): Promise<void> {
    this.keys = await makeKeys(this.algorithms);
  }

  /** Adds a key that is not the issuer's own to its key set, as a hostile issuer may. */
  publish(jwk: JWK): void {
    this.published.push(jwk);
  }

  /** Cuts every connection from now on, without an answer. */
  stopAnswering(): void {
    this.answering = false;
  }

  startAnswering(): void {
    this.answering = true;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private signingKey(algorithm = this.algorithms[0]): SigningKey {
    const key = this.keys.find((candidate) => candidate.algorithm === algorithm);
    if (!key) throw new Error(`This issuer was started without a key for ${algorithm}.`);
    return key;
  }

  private answer(path: string, response: ServerResponse): void {
    const asksForKeys = path === `${this.path}/jwks`;
    if (asksForKeys) this.jwksFetches += 1;
    if (!this.answering) return void response.destroy();
    if (asksForKeys) {
      return sendJson(response, { keys: [...this.keys.map((key) => key.publicJwk), ...this.published] });
    }
    if (path === `${this.path}/.well-known/openid-configuration`) return sendJson(response, this.discovery());
    response.writeHead(404).end();
  }

  private discovery(): Record<string, unknown> {
    return {
      issuer: this.url,
      jwks_uri: `${this.url}/jwks`,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: this.algorithms,
    };
  }
}

function makeKeys(algorithms: TokenAlgorithm[]): Promise<SigningKey[]> {
  return Promise.all(
    algorithms.map(async (algorithm) => {
      const { privateKey, publicKey } = await generateKeyPair(algorithm);
      const publicJwk = { ...(await exportJWK(publicKey)), kid: randomUUID(), alg: algorithm, use: 'sig' };
      return { algorithm, privateKey, publicJwk };
    }),
  );
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
