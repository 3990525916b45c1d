import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-jwt';
import { bearerToken, type TokenClaims } from './token';
import type { TokenVerifier } from './token-verifier';

/**
 * passport-jwt around the service's own verifier: jose knows EdDSA and PS algorithms and is stricter than jsonwebtoken,
 * which passport-jwt brings. The verifier returns the claims as the "key", and passport-jwt passes them on.
 */
Object.assign(Strategy, {
  // eslint-disable-next-line no-restricted-syntax -- the frame's signature
  JwtVerifier: (
    _token: string,
    claims: TokenClaims,
    _options: object,
    done: (error: null, claims: TokenClaims) => void,
  ) => done(null, claims),
});

export const STRATEGY = 'plat-jwt';

export class JwtStrategy extends PassportStrategy(Strategy, STRATEGY) {
  constructor(verifier: TokenVerifier) {
    super({
      jwtFromRequest: ({ headers }) => bearerToken(headers.authorization),
      secretOrKeyProvider: (
        _request: unknown,
        token: string,
        done: (error: unknown, claims?: never) => void,
      ) => {
        verifier.verify(token).then((claims) => done(null, claims as never), done);
      },
    });
  }

  validate(claims: TokenClaims): TokenClaims {
    return claims;
  }
}
