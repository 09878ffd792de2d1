import { Inject, Injectable, UnauthorizedException } from '@nestjs/common'
import { JwtService } from '@nestjs/jwt'

/** The guard of NestJS' documentation: it checks the token of each request by @nestjs/jwt. */
export class TokenGuard {
  constructor (jwt) {
    this.jwt = jwt
  }

  async canActivate (context) {
    const request = context.switchToHttp().getRequest()
    const [type, token] = request.headers.authorization?.split(' ') ?? []
    if (type !== 'Bearer') throw new UnauthorizedException()
    try {
      request.user = await this.jwt.verifyAsync(token)
    } catch {
      throw new UnauthorizedException()
    }
    return true
  }
}
Inject(JwtService)(TokenGuard, undefined, 0)
Injectable()(TokenGuard)
