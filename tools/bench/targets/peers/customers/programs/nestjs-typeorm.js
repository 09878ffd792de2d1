import 'reflect-metadata'
import {
  BadRequestException,
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Put,
  UseGuards
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { JwtModule } from '@nestjs/jwt'
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm'
import { EntitySchema } from 'typeorm'
import { audience, issuer, key } from './key.js'
import { TokenGuard } from './nestjs-guard.js'

/** NestJS on Express with its JWT guard, and TypeORM on the database of DATABASE_URL or DATABASE_FILE; decorators as calls. */
const { DATABASE_FILE, DATABASE_URL, PORT } = process.env

const Customer = new EntitySchema({
  name: 'Customer',
  tableName: 'customer',
  columns: {
    id: { type: 'integer', primary: true },
    name: { type: 'varchar', length: 100 },
    age: { type: 'integer' },
    address: { type: 'varchar', length: 200 }
  }
})

class CustomersController {
  constructor (customers) {
    this.customers = customers
  }

  async findOne (id) {
    const customer = await this.customers.findOneBy({ id })
    if (customer === null) throw new NotFoundException()
    return customer
  }

  async create (body) {
    if (!Number.isInteger(body.id)) throw new BadRequestException()
    await this.customers.insert(body)
    return body
  }

  async replace (id, body) {
    const { affected } = await this.customers.update({ id }, body)
    if (affected === 0) throw new NotFoundException()
  }

  async remove (id) {
    const { affected } = await this.customers.delete({ id })
    if (affected === 0) throw new NotFoundException()
  }
}

const route = (name, ...decorators) => {
  const { prototype } = CustomersController
  for (const decorate of decorators) decorate(prototype, name, Object.getOwnPropertyDescriptor(prototype, name))
  return { with: (...parameters) => parameters.forEach((decorate, index) => decorate(prototype, name, index)) }
}
const id = Param('id', ParseIntPipe)
route('findOne', Get(':id')).with(id)
route('create', Post()).with(Body())
route('replace', Put(':id'), HttpCode(204)).with(id, Body())
route('remove', Delete(':id'), HttpCode(204)).with(id)
Inject(getRepositoryToken(Customer))(CustomersController, undefined, 0)
UseGuards(TokenGuard)(CustomersController)
Controller('customers')(CustomersController)

const database = DATABASE_URL === undefined ? { type: 'better-sqlite3', database: DATABASE_FILE } : { type: 'postgres', url: DATABASE_URL }
const publicKey = key.export({ type: 'spki', format: 'pem' })

class AppModule {}
Module({
  imports: [
    TypeOrmModule.forRoot({ ...database, entities: [Customer] }),
    TypeOrmModule.forFeature([Customer]),
    JwtModule.register({ publicKey, verifyOptions: { algorithms: ['ES256'], issuer, audience } })
  ],
  controllers: [CustomersController]
})(AppModule)

const app = await NestFactory.create(AppModule, { logger: ['error'] })
await app.listen(Number(PORT), '127.0.0.1')
