import express from 'express'
import { expressjwt } from 'express-jwt'
import { DataTypes, Sequelize } from 'sequelize'
import { audience, issuer, key } from './key.js'

/** Express with express-jwt, and Sequelize on SQLite. */
const sequelize = new Sequelize({ dialect: 'sqlite', storage: process.env.DATABASE_FILE, logging: false })
const Customer = sequelize.define('Customer', {
  id: { type: DataTypes.INTEGER, primaryKey: true },
  name: { type: DataTypes.STRING(100), allowNull: false },
  age: { type: DataTypes.INTEGER, allowNull: false, validate: { min: 0, max: 150 } },
  address: { type: DataTypes.STRING(200), allowNull: false }
}, { tableName: 'customer', timestamps: false })

const app = express()
app.use(expressjwt({ secret: key, algorithms: ['ES256'], issuer, audience }))
app.use(express.json())

app.get('/customers/:id', async ({ params }, response) => {
  const customer = await Customer.findByPk(params.id)
  if (customer === null) return response.sendStatus(404)
  response.json(customer)
})
app.post('/customers', async ({ body }, response) => {
  const customer = await Customer.create(body)
  response.status(201).json(customer)
})
app.put('/customers/:id', async ({ params, body }, response) => {
  const [count] = await Customer.update(body, { where: { id: params.id } })
  response.sendStatus(count === 1 ? 204 : 404)
})
app.delete('/customers/:id', async ({ params }, response) => {
  const count = await Customer.destroy({ where: { id: params.id } })
  response.sendStatus(count === 1 ? 204 : 404)
})

await sequelize.authenticate()
app.listen(Number(process.env.PORT), '127.0.0.1')
