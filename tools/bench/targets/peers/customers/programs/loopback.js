import { authenticate, AuthenticationComponent, registerAuthenticationStrategy } from '@loopback/authentication'
import { Application } from '@loopback/core'
import { DefaultCrudRepository, Entity, juggler, ModelDefinition } from '@loopback/repository'
import { del, get, getModelSchemaRef, param, post, put, requestBody, RestComponent } from '@loopback/rest'
import connector from 'loopback-connector-postgresql'
import { TokenStrategy } from './loopback-strategy.js'

/** LoopBack 4 with @loopback/authentication, and its connector of PostgreSQL; decorators as calls. */
class Customer extends Entity {}
Customer.definition = new ModelDefinition({
  name: 'Customer',
  settings: { strict: true, postgresql: { table: 'customer' }, forceId: false }
})
  .addProperty('id', { type: 'number', id: true, generated: false, required: true })
  .addProperty('name', { type: 'string', required: true, jsonSchema: { maxLength: 100 } })
  .addProperty('age', { type: 'number', required: true, jsonSchema: { minimum: 0, maximum: 150 } })
  .addProperty('address', { type: 'string', required: true, jsonSchema: { maxLength: 200 } })

const dataSource = new juggler.DataSource({ name: 'postgresql', connector, url: process.env.DATABASE_URL })
const customers = new DefaultCrudRepository(Customer, dataSource)

class CustomersController {
  findById (id) {
    return customers.findById(id)
  }

  create (customer) {
    return customers.create(customer)
  }

  replaceById (id, customer) {
    return customers.replaceById(id, customer)
  }

  deleteById (id) {
    return customers.deleteById(id)
  }
}

const body = { content: { 'application/json': { schema: getModelSchemaRef(Customer) } } }
const answer = { responses: { 200: { description: 'A customer', ...body } } }
const nothing = { responses: { 204: { description: 'Done' } } }
const { prototype } = CustomersController
const route = (name, decorate, ...parameters) => {
  parameters.forEach((parameter, index) => parameter(prototype, name, index))
  decorate(prototype, name, Object.getOwnPropertyDescriptor(prototype, name))
}
const id = () => param.path.number('id')
route('findById', get('/customers/{id}', answer), id())
route('create', post('/customers', answer), requestBody(body))
route('replaceById', put('/customers/{id}', nothing), id(), requestBody(body))
route('deleteById', del('/customers/{id}', nothing), id())
authenticate('jwt')(CustomersController)

const app = new Application({ rest: { host: '127.0.0.1', port: Number(process.env.PORT) } })
app.component(RestComponent)
app.component(AuthenticationComponent)
registerAuthenticationStrategy(app, TokenStrategy)
app.controller(CustomersController)
await app.start()
