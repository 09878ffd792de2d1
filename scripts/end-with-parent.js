// Preloaded into each program of `npm start`: shuts it down, as SIGTERM does, when its parent process is gone, even killed.
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The channel alone must not keep the process running.
  process.channel.unref()
}
