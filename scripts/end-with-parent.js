// Loaded before each program of `npm start`: ends it, as SIGTERM does, once the process that started it is gone, however that ended.
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The channel alone keeps no process running.
  process.channel.unref()
}
