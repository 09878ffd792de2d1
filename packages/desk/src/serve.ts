import { logStream } from '@frontdesk/service-kit/log-stream'
import { listen, run } from '@frontdesk/service-kit/serve'
import Fastify from 'fastify'
import app from './app.js'
import { loadConfig } from './config.js'
import { serverOptions } from './server-options.js'

await run('the desk', async () => {
  const config = loadConfig()
  const fastify = Fastify(serverOptions(config, logStream('desk')))
  await fastify.register(app, { config })
  await listen(fastify, config)
})
