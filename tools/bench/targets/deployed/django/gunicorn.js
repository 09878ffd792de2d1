import { inClone } from '../../../services/place.js'
import { fileOf } from '../../peers/customers/table.js'

export const FOLDER = inClone('tools/bench/targets/deployed/django')

/** Where a program of Django finds its database, and its secret key. */
export function settings (context) {
  return {
    SECRET_KEY: 'of-the-bench-alone',
    PYTHONDONTWRITEBYTECODE: '1',
    ...(context.databaseUrl === undefined ? { DATABASE_FILE: fileOf(context) } : { DATABASE_URL: context.databaseUrl })
  }
}

/**
 * A program on gunicorn with connections that stay open. On PostgreSQL, three processes, as gunicorn's manual advises for one core. On
 * SQLite, one process with one thread: Django's transactions begin as readers, so that concurrent ones would be refused as writers.
 */
export function gunicorn (program, context, env) {
  const workers = context.databaseUrl === undefined ? ['--workers=1', '--threads=1'] : ['--workers=3', '--threads=4']
  return {
    file: '/usr/bin/gunicorn',
    args: [
      `--bind=127.0.0.1:${context.port}`, `--chdir=${FOLDER}`, '--worker-class=gthread', '--keep-alive=75', '--graceful-timeout=3',
      ...workers, program
    ],
    env: { ...settings(context), ...env }
  }
}
